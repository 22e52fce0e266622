package io.vtagent.bench;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** The configurations that are compared with each other. */
final class Arms {
    /**
     * By default, the JVM informs JVMTI of each mount and unmount as soon as there is an agent
     * (globals.hpp).
     */
    private static final List<String> WITHOUT_MOUNT_EVENTS =
            List.of("-XX:+UnlockExperimentalVMOptions", "-XX:-DoJVMTIVirtualThreadTransitions");

    private static final String JACOCO = "org.jacoco";

    /** By the beginning of the jar's name; what else it needs. */
    private static final Map<String, List<String>> PEERS =
            Map.of(
                    "org.jacoco.agent", List.of(),
                    "blockhound", List.of("-XX:+AllowRedefinitionToAddDeleteMethods"),
                    "dd-java-agent", List.of("-Ddd.trace.agent.port=1"),
                    "opentelemetry-javaagent", List.of("-Dotel.sdk.disabled=true"));

    private final Path agentJar;
    private final Path peers;

    /**
     * @param peers the folder that the other agents' jars lie in
     */
    Arms(Path agentJar, Path peers) {
        this.agentJar = agentJar;
        this.peers = peers;
    }

    Arm none() {
        return new Arm("no agent", List.of());
    }

    /** {@link io.vtagent.bench.program.EmptyAgent}. */
    Arm empty() {
        return new Arm("an agent that does nothing", List.of(javaAgent(benchmarks(), "")));
    }

    Arm transformer() {
        return new Arm(
                "a transformer that does nothing",
                List.of(javaAgent(benchmarks(), "=transformer")));
    }

    /** As a user has it, but that it is silent. */
    Arm quiet() {
        return agent("report=off", "log=error");
    }

    /** Listens where it can. */
    Arm agent(String... options) {
        return agentAt(0, options);
    }

    Arm agentAt(int port, String... options) {
        String all = options.length == 0 ? "" : "," + String.join(",", options);
        return new Arm("vt-agent", List.of(javaAgent(agentJar, "=port=" + port + all)));
    }

    /**
     * Returns what {@link io.vtagent.bench.program.Attached} needs to attach the agent, and to
     * detach it.
     */
    List<String> attached() {
        return List.of(agentJar.toString(), "port:0,report:off,log:error", "detach");
    }

    List<String> attachedEmpty() {
        return List.of(benchmarks().toString(), "");
    }

    /** Returns an agent in a JVM that does not inform JVMTI of mounts and unmounts. */
    Arm withoutMountEvents() {
        return quiet().with(WITHOUT_MOUNT_EVENTS);
    }

    /** Other agents, and the JDK's own recording. */
    List<Arm> peers() {
        List<Arm> all = new ArrayList<>();
        try (Stream<Path> jars = Files.list(peers)) {
            jars.sorted().forEach(jar -> all.add(peer(jar)));
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
        all.add(
                new Arm(
                        "JFR, `profile`",
                        List.of("-XX:StartFlightRecording:settings=profile", "-Xlog:jfr*=off")));
        return all;
    }

    /** Returns the other agent with whose start this agent's start is compared. */
    Arm jacoco() {
        return peers().stream()
                .filter(peer -> peer.name().contains(JACOCO))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no " + JACOCO + " in " + peers));
    }

    private static Arm peer(Path jar) {
        String name = jar.getFileName().toString().replaceFirst("(-runtime)?\\.jar$", "");
        List<String> arguments =
                new ArrayList<>(
                        PEERS.entrySet().stream()
                                .filter(peer -> name.startsWith(peer.getKey()))
                                .map(Map.Entry::getValue)
                                .findFirst()
                                .orElse(List.of()));
        String options = name.startsWith(JACOCO) ? "=output=none" : "";
        arguments.add(javaAgent(jar, options));
        return new Arm("`" + name + "`", arguments);
    }

    private static Path benchmarks() {
        return Path.of(System.getProperty("java.class.path"));
    }

    private static String javaAgent(Path jar, String options) {
        return "-javaagent:" + jar + options;
    }
}
