package io.vtagent.cli;

import io.vtagent.options.Token;
import java.net.URI;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/** Resolves an argument {@code URL|PID|FILE} to the source of a report. */
record Sources(@Nullable Token token, Duration timeout) {
    static final String LABEL = "URL|PID|FILE";
    static final String DESCRIPTION =
            "The source of the report: the URL of an endpoint (http://127.0.0.1:21491, or"
                    + " :21491), the process id of a JVM on this machine, or a JSON file.";

    private static final Pattern PID = Pattern.compile("[0-9]{1,10}");
    private static final Pattern PORT = Pattern.compile(":[0-9]{1,5}");
    private static final Pattern HOST_AND_PORT =
            Pattern.compile("([A-Za-z0-9.-]+|\\[[0-9A-Fa-f:.]+]):[0-9]{1,5}(/.*)?");
    private static final int MAX_PORTS = 65_535;

    ReportSource of(String argument) {
        if (PID.matcher(argument).matches()) {
            return new EndpointSource(
                    endpoint(Long.parseLong(argument)), "process " + argument, token, timeout);
        }
        if (PORT.matcher(argument).matches()) {
            return endpoint("http://127.0.0.1" + argument, argument);
        }
        String start = argument.toLowerCase(Locale.ROOT);
        if (start.startsWith("http://") || start.startsWith("https://")) {
            return endpoint(argument, argument);
        }
        Path file = file(argument);
        if (HOST_AND_PORT.matcher(argument).matches() && !Files.exists(file)) {
            return endpoint("http://" + argument, argument);
        }
        return new FileSource(file);
    }

    private static URI endpoint(long pid) {
        try (AttachedJvm jvm = attach(pid)) {
            String endpoint = jvm.endpoint();
            if (endpoint != null) {
                return URI.create(endpoint);
            }
            throw new BadInputException(
                    jvm.hasAgent()
                            ? "vt-agent has no endpoint in process "
                                    + pid
                                    + ": it has port=off, or its port was taken"
                            : "process "
                                    + pid
                                    + " is a JVM without vt-agent, expected one that runs with"
                                    + " -javaagent:vt-agent.jar; attach "
                                    + pid
                                    + " attaches it");
        }
    }

    /**
     * Attaches to the JVM with the process id {@code pid}.
     *
     * @throws BadInputException if attaching fails
     */
    static AttachedJvm attach(long pid) {
        try {
            return AttachedJvm.of(pid);
        } catch (LinkageError noModule) {
            throw new BadInputException(
                    "this Java runtime lacks the module jdk.attach, which a process id needs:"
                            + " give the URL of the endpoint, or use a complete JDK");
        }
    }

    private EndpointSource endpoint(String url, String given) {
        try {
            URI uri = new URI(url);
            if (uri.getHost() != null && uri.getPort() != 0 && uri.getPort() <= MAX_PORTS) {
                // without the path, the query and the user name
                URI base =
                        new URI(
                                uri.getScheme(),
                                null,
                                uri.getHost(),
                                uri.getPort(),
                                null,
                                null,
                                null);
                return new EndpointSource(base, base.toString(), token, timeout);
            }
        } catch (URISyntaxException noUrl) {
            // reported below
        }
        throw new BadInputException(
                "\""
                        + given
                        + "\" is not the URL of an endpoint, expected one such as"
                        + " http://127.0.0.1:21491");
    }

    private static Path file(String argument) {
        try {
            return Path.of(argument);
        } catch (InvalidPathException noPath) {
            throw new BadInputException(
                    "\"" + argument + "\" is neither a URL nor a process id nor a file");
        }
    }
}
