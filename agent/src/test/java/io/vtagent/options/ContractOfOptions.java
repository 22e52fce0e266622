package io.vtagent.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/**
 * The options by name, with their defaults, and which of the values that people may have given they
 * take.
 */
public final class ContractOfOptions {
    /** Of these each option takes its own. */
    private static final List<String> VALUES =
            List.of(
                    "on",
                    "off",
                    "auto",
                    "stuck",
                    "sites",
                    "stderr",
                    "stdout",
                    "report.txt",
                    "report-%p.json",
                    "report.html",
                    "error",
                    "info",
                    "debug",
                    "0",
                    "1",
                    "64",
                    "1024",
                    "10000",
                    "32767",
                    "65535",
                    "0us",
                    "500us",
                    "1ms",
                    "100ms",
                    "5s",
                    "1h",
                    "127.0.0.1",
                    "0.0.0.0",
                    "::1",
                    "s3cret-._~+/=",
                    "com.acme;org.acme",
                    "region:eu;stage:test",
                    "http://localhost:4318",
                    "https://localhost/v1/metrics",
                    "pom.xml");

    private ContractOfOptions() {}

    public static Stream<String> lines() {
        return Stream.of(Option.values()).flatMap(ContractOfOptions::lines);
    }

    private static Stream<String> lines(Option option) {
        List<String> lines = new ArrayList<>();
        lines.add("option %s property %s".formatted(option.key(), option.property()));
        lines.add("option %s variable %s".formatted(option.key(), option.variable()));
        lines.add("option %s default \"%s\"".formatted(option.key(), option.defaultValue()));
        if (option.mayChange()) {
            lines.add("option %s can be set while the agent runs".formatted(option.key()));
        }
        VALUES.stream()
                .filter(value -> takes(option, value))
                .map(value -> "option %s takes %s".formatted(option.key(), value))
                .forEach(lines::add);
        return lines.stream();
    }

    private static boolean takes(Option option, String value) {
        Properties properties = new Properties();
        properties.setProperty(option.property(), value);
        try {
            return AgentOptions.parse(null, properties, Map.of()).warnings().isEmpty();
        } catch (BadOptionException refused) {
            return false;
        }
    }
}
