package io.vtagent.exporter.otlp;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.UUID;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The settings of a push, from OpenTelemetry's environment variables.
 *
 * @param resource the attributes of the resource, with the name of the service and of this instance
 * @param headers of each request; they may contain a key and are never printed
 * @param gzip whether requests are compressed
 * @param everyNanos the interval between pushes
 * @param timeoutNanos the timeout of a push
 * @param warnings a sentence for each given setting that is ignored
 */
record OtlpSettings(
        Map<String, String> resource,
        Map<String, String> headers,
        boolean gzip,
        long everyNanos,
        long timeoutNanos,
        List<String> warnings) {
    private static final String SERVICE_NAME = "service.name";
    private static final String INSTANCE = "service.instance.id";

    private static final String RESOURCE = "OTEL_RESOURCE_ATTRIBUTES";
    private static final String SERVICE = "OTEL_SERVICE_NAME";
    private static final String INTERVAL = "OTEL_METRIC_EXPORT_INTERVAL";
    private static final String TEMPORALITY = "OTEL_EXPORTER_OTLP_METRICS_TEMPORALITY_PREFERENCE";

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long MIN_INTERVAL_MILLIS = 100;
    private static final long DAY_MILLIS = 86_400_000;

    /** RFC 9110. */
    private static final Pattern HEADER_NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]+");

    private static final Pattern HEADER_VALUE = Pattern.compile("[\\t\\x20-\\x7e]*");

    @Override
    public String toString() {
        return "OtlpSettings";
    }

    static OtlpSettings of(Map<String, String> environment) {
        return new Reader(environment).read();
    }

    /**
     * Reads the environment. An empty variable counts as unset, as OpenTelemetry's specification
     * requires.
     */
    private record Reader(Map<String, String> environment, List<String> warnings) {
        Reader(Map<String, String> environment) {
            this(environment, new ArrayList<>());
        }

        OtlpSettings read() {
            String preference = text(TEMPORALITY).toLowerCase(Locale.ROOT);
            if (!preference.isEmpty() && !preference.equals("cumulative")) {
                ignored(TEMPORALITY, "cumulative, because a lost push then loses no figures");
            }
            return new OtlpSettings(
                    resource(),
                    headers(),
                    isGzip(),
                    millis(INTERVAL, 60_000, MIN_INTERVAL_MILLIS) * NANOS_PER_MILLI,
                    millis(ofMetrics("TIMEOUT"), 10_000, 1) * NANOS_PER_MILLI,
                    List.copyOf(warnings));
        }

        private Map<String, String> resource() {
            Map<String, String> attributes = new LinkedHashMap<>();
            // without it, the metrics of two JVMs of a service would form one series, which jumps
            attributes.put(INSTANCE, UUID.randomUUID().toString());
            attributes.put(SERVICE_NAME, "unknown_service:java");
            Map<String, String> given = EncodedPairs.parse(text(RESOURCE));
            if (given == null) {
                ignored(RESOURCE, "key=value pairs separated by commas, percent-encoded");
            } else {
                attributes.putAll(given);
            }
            if (!text(SERVICE).isEmpty()) {
                attributes.put(SERVICE_NAME, text(SERVICE));
            }
            return attributes;
        }

        private Map<String, String> headers() {
            String variable = ofMetrics("HEADERS");
            Map<String, String> headers = EncodedPairs.parse(text(variable));
            if (headers == null || !headers.entrySet().stream().allMatch(Reader::isHeader)) {
                ignored(variable, "name=value pairs separated by commas, percent-encoded");
                return Map.of();
            }
            return headers;
        }

        private static boolean isHeader(Map.Entry<String, String> header) {
            return HEADER_NAME.matcher(header.getKey()).matches()
                    && HEADER_VALUE.matcher(header.getValue()).matches();
        }

        private boolean isGzip() {
            String variable = ofMetrics("COMPRESSION");
            return switch (text(variable)) {
                case "gzip" -> true;
                case "none", "" -> false;
                default -> {
                    ignored(variable, "gzip or none");
                    yield false;
                }
            };
        }

        private long millis(String variable, long otherwise, long least) {
            if (text(variable).isEmpty()) {
                return otherwise;
            }
            try {
                long millis = Long.parseLong(text(variable));
                if (millis >= least && millis <= DAY_MILLIS) {
                    return millis;
                }
            } catch (NumberFormatException notANumber) {
                // reported below
            }
            ignored(variable, "milliseconds from " + least + " to " + DAY_MILLIS);
            return otherwise;
        }

        /**
         * Returns the name of the variable for metrics or, if that is not set, of the one for all
         * signals.
         */
        private String ofMetrics(String what) {
            String variable = "OTEL_EXPORTER_OTLP_METRICS_" + what;
            return text(variable).isEmpty() ? "OTEL_EXPORTER_OTLP_" + what : variable;
        }

        private String text(String variable) {
            @Nullable String value = environment.get(variable);
            return value == null ? "" : value.strip();
        }

        /** Adds a warning. It leaves out the value, which may be a key. */
        private void ignored(String variable, String expected) {
            warnings.add(
                    variable
                            + " has a value that otlp does not support, expected "
                            + expected
                            + "; it is ignored");
        }
    }
}
