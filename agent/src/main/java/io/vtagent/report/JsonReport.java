package io.vtagent.report;

import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Total;
import io.vtagent.vm.HeldStack;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** The report for programs. Durations are in nanoseconds. */
public final class JsonReport {
    private JsonReport() {}

    public static String render(PinReport report) {
        Json json = new Json();
        json.open('{');
        json.field("agent", report.jvm().agent());
        json.field("java", report.jvm().java());
        json.field("carriers", report.jvm().carriers());
        json.field("monitorsPin", report.jvm().monitorsPin());
        json.field("uptimeNanos", report.uptimeNanos());
        json.field("count", report.count());
        json.field("heldNanos", report.nanos());
        json.name("active").open('{');
        json.field("count", report.active().count());
        json.field("longestNanos", report.active().longestNanos());
        json.close('}');
        json.name("sensors").open('{');
        for (Map.Entry<String, String> sensor : report.jvm().sensors().entrySet()) {
            json.field(sensor.getKey(), sensor.getValue().isEmpty() ? "up" : sensor.getValue());
        }
        json.close('}');
        json.name("totals").open('[');
        for (Total total : report.totals()) {
            json.open('{');
            json.field("kind", total.key().kind().label());
            json.field("reason", total.key().reason().label());
            json.field("compensated", total.key().compensated());
            figures(json, total.count(), total.nanos(), total.longestNanos());
            json.close('}');
        }
        json.close(']');
        json.name("sites").open('[');
        for (Held held : report.sites()) {
            site(json, held);
        }
        json.close(']');
        json.close('}');
        return json + "\n";
    }

    private static void site(Json json, Held held) {
        json.open('{');
        json.field("site", held.site().site());
        json.field("operation", held.site().operation());
        json.field("kind", held.site().kind().label());
        figures(json, held.count(), held.nanos(), held.longestNanos());
        json.field("advice", held.advice());
        HeldStack stack = held.stack();
        if (stack != null) {
            json.field("cause", stack.cause().name().toLowerCase(Locale.ROOT));
            json.field("monitor", stack.monitorClass());
            json.field("caller", stack.caller());
            json.field("holderIndex", stack.holderIndex());
            json.name("stack").open('[');
            stack.frames().forEach(json::value);
            json.close(']');
        }
        json.close('}');
    }

    private static void figures(Json json, long count, long nanos, long longestNanos) {
        json.field("count", count);
        json.field("heldNanos", nanos);
        json.field("longestNanos", longestNanos);
    }

    /** Writes JSON as it goes, with a comma wherever one is due. */
    private static final class Json {
        private final StringBuilder text = new StringBuilder();

        Json name(String name) {
            string(name);
            text.append(':');
            return this;
        }

        void open(char bracket) {
            separate();
            text.append(bracket);
        }

        void close(char bracket) {
            text.append(bracket);
        }

        void field(String name, @Nullable String value) {
            if (value != null) {
                name(name);
                string(value);
            }
        }

        void field(String name, long value) {
            name(name);
            text.append(value);
        }

        void field(String name, boolean value) {
            name(name);
            text.append(value);
        }

        void value(String value) {
            string(value);
        }

        private void string(String value) {
            separate();
            text.append('"');
            for (int i = 0; i < value.length(); i++) {
                char character = value.charAt(i);
                if (character == '"' || character == '\\') {
                    text.append('\\').append(character);
                } else if (character < ' ') {
                    text.append(String.format("\\u%04x", (int) character));
                } else {
                    text.append(character);
                }
            }
            text.append('"');
        }

        private void separate() {
            if (!text.isEmpty() && "{[:,".indexOf(text.charAt(text.length() - 1)) < 0) {
                text.append(',');
            }
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
