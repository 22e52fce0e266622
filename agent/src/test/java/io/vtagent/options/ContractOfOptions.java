package io.vtagent.options;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.stream.Stream;

/** The options by name, with their defaults and examples of the values that they accept. */
public final class ContractOfOptions {
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
        values(option).stream()
                .filter(value -> takes(option, value))
                .map(value -> "option %s takes %s".formatted(option.key(), value))
                .forEach(lines::add);
        return lines.stream();
    }

    /** Returns examples of each kind of value that the option is meant for, with its bounds. */
    private static List<String> values(Option option) {
        return switch (option) {
            case PORT -> List.of("0", "1", "65535", "off");
            case BIND -> List.of("127.0.0.1", "0.0.0.0", "::1");
            case TOKEN -> List.of("s3cret-._~+/=");
            case REPORT ->
                    List.of(
                            "off",
                            "stderr",
                            "stdout",
                            "report.txt",
                            "report-%p.json",
                            "report.html");
            case REPORT_STACKS, SYNCHRONIZED, HISTOGRAM, JFR_EVENTS -> List.of("on", "off");
            case STACK_THRESHOLD -> List.of("0", "0us", "500us", "1ms", "5s", "1h");
            case STACK_DEPTH -> List.of("1", "64", "1024");
            case MAX_SITES -> List.of("1", "1024", "10000");
            case INCLUDE, EXCLUDE, APP -> List.of("com.acme;org.acme");
            case CONTEXT -> List.of("traceId;order-id");
            case VM_EVENTS -> List.of("auto", "on", "off");
            case SAMPLE_INTERVAL, BUSY, DELAY_PROBE, LOG_PINS, OTEL_SPAN_EVENTS ->
                    List.of("off", "1ms", "100ms", "5s", "1h");
            case STARVATION_AFTER -> List.of("100ms", "5s", "1h");
            case RELIEF -> List.of("off", "on", "stuck", "1", "32767");
            case OTLP -> List.of("off", "http://localhost:4318", "https://localhost/v1/metrics");
            case APP_REGISTRY -> List.of("on", "sites", "off");
            case TAGS -> List.of("region:eu;stage:test");
            case LOG -> List.of("off", "error", "info", "debug");
            case CONFIG -> List.of();
        };
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
