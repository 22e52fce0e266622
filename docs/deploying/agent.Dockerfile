# Only the agent's jar, for the init container of kubernetes.yaml:
#   docker build -f agent.Dockerfile -t registry.example.com/vt-agent:0.1.0 .
# in a folder that has vt-agent.jar.
FROM busybox:1.37

COPY vt-agent.jar /vt-agent.jar

USER 10001
CMD ["cp", "/vt-agent.jar", "/vt-agent/vt-agent.jar"]
