package io.vtagent.cli;

import io.vtagent.options.Durations;
import io.vtagent.options.Token;
import java.time.Duration;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of all commands that read a report: how to access an endpoint. */
final class SourceOptions {
    private static final String VARIABLE = "VTAGENT_TOKEN";

    @Option(
            names = "--token",
            paramLabel = "TOKEN",
            description =
                    "The token that the endpoint requires, or a file with the token in its first"
                            + " line. Default: the environment variable VTAGENT_TOKEN.")
    @Nullable String token;

    @Option(
            names = "--timeout",
            paramLabel = "DURATION",
            description = "The maximum wait for the endpoint's answer. Default: 10s.")
    String timeout = "10s";

    Sources sources() {
        return new Sources(token(System.getenv()), timeout());
    }

    @Nullable Token token(Map<String, String> environment) {
        String given = token;
        String from = "--token";
        if (given == null) {
            given = environment.get(VARIABLE);
            from = VARIABLE;
        }
        if (given == null) {
            return null;
        }
        Token parsed = Token.of(given);
        if (parsed == null) {
            throw new BadInputException(
                    from
                            + " is neither a token (letters, digits and -._~+/, then perhaps =) nor"
                            + " a file that can be read and whose first line is one");
        }
        return parsed;
    }

    private Duration timeout() {
        long nanos = Durations.parse(timeout);
        if (nanos < 1_000_000 || nanos > Integer.MAX_VALUE * 1_000_000L) {
            throw new BadInputException(
                    "--timeout is \""
                            + timeout
                            + "\", expected a duration of at least 1ms, such as 10s");
        }
        return Duration.ofNanos(nanos);
    }
}
