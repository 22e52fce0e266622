package io.vtagent.report;

import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Total;
import io.vtagent.vm.PinnedStack;
import io.vtagent.watch.Diagnosis;
import java.util.List;
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
        json.field("count", report.inProgress().count());
        json.field("heldNanos", report.inProgress().nanos());
        json.field("longestNanos", report.inProgress().longestNanos());
        json.close('}');
        if (report.jvm().monitorsPin()) {
            forecast(json, report.forecast());
        }
        starved(json, report.starved());
        if (report.delayed().on()) {
            json.name("schedulerDelay").open('{');
            json.field("count", report.delayed().count());
            json.field("nanos", report.delayed().nanos());
            json.field("longestNanos", report.delayed().longestNanos());
            json.field("currentNanos", report.delayed().currentNanos());
            json.close('}');
        }
        if (report.relieved().on()) {
            json.name("relief").open('{');
            json.field("carriersAdded", report.relieved().carriers());
            json.field("pins", report.relieved().pins());
            json.field("heldNanos", report.relieved().nanos());
            json.close('}');
        }
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
            figures(json, total.figures());
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

    /** What would become of the held time where monitors do not pin. */
    private static void forecast(Json json, Forecast forecast) {
        json.name("withoutMonitorPins").open('{');
        json.field("goesNanos", forecast.goesNanos());
        json.field("staysNanos", forecast.staysNanos());
        json.field("unknownNanos", forecast.unknownNanos());
        json.name("stays").open('[');
        for (Forecast.Remaining remaining : forecast.remaining()) {
            json.open('{');
            json.field("site", remaining.site());
            json.field("kind", remaining.kind());
            json.field("heldNanos", remaining.nanos());
            json.field("nativeFrame", remaining.holder());
            json.close('}');
        }
        json.close(']');
        json.close('}');
    }

    private static void starved(Json json, PinReport.Starved starved) {
        json.name("starved").open('{');
        json.field("periods", starved.periods());
        json.field("nanos", starved.nanos());
        json.field("now", starved.now());
        Diagnosis diagnosis = starved.diagnosis();
        if (diagnosis != null) {
            diagnosis(json, diagnosis);
        }
        json.close('}');
    }

    private static void deadlock(Json json, List<Diagnosis.Link> links) {
        if (links.isEmpty()) {
            return;
        }
        json.name("deadlock").open('[');
        for (Diagnosis.Link link : links) {
            json.open('{');
            json.field("thread", link.thread());
            json.field("has", link.has());
            json.field("waitsFor", link.waitsFor());
            json.close('}');
        }
        json.close(']');
    }

    private static void diagnosis(Json json, Diagnosis diagnosis) {
        json.name("diagnosis").open('{');
        json.field("verdict", diagnosis.verdict());
        json.field("remedy", diagnosis.remedy());
        deadlock(json, diagnosis.deadlock());
        json.field("starvedNanos", diagnosis.starvedNanos());
        json.field("carriers", diagnosis.carriers());
        json.field("queued", diagnosis.queued());
        json.strings("queuedThreads", diagnosis.queuedThreads());
        json.name("locks").open('[');
        for (Diagnosis.Lock lock : diagnosis.locks()) {
            json.open('{');
            json.field("name", lock.name());
            json.field("owner", lock.owner());
            json.strings("queue", lock.queue());
            json.close('}');
        }
        json.close(']');
        json.name("held").open('[');
        for (Diagnosis.Held held : diagnosis.held()) {
            json.open('{');
            json.field("carrier", held.carrier());
            json.field("thread", held.thread());
            json.field("state", held.state());
            json.field("waitsFor", held.waitsFor());
            json.field("owner", held.owner());
            json.strings("stack", held.stack());
            json.close('}');
        }
        json.close(']');
        json.close('}');
    }

    private static void site(Json json, Held held) {
        json.open('{');
        json.field("caller", held.site().caller());
        json.field("site", held.site().site());
        json.field("operation", held.site().operation());
        json.field("kind", held.site().kind().label());
        figures(json, held.figures());
        json.field("advice", held.advice());
        PinnedStack stack = held.stack();
        if (stack != null) {
            json.field("cause", stack.cause().name().toLowerCase(Locale.ROOT));
            json.field("monitor", stack.monitorClass());
            json.field("holderIndex", stack.holderIndex());
            json.field("nativeFrame", stack.nativeFrame());
            json.strings("stack", stack.frames());
            monitors(json, stack);
        }
        json.close('}');
    }

    /** The frames that hold monitors, by their place in the stack. */
    private static void monitors(Json json, PinnedStack stack) {
        if (stack.monitors().isEmpty()) {
            return;
        }
        json.name("monitors").open('[');
        for (int i = 0; i < stack.frames().size(); i++) {
            PinnedStack.Monitors monitors = stack.monitors().get(stack.frames().get(i));
            if (monitors != null) {
                json.open('{');
                json.field("frame", i);
                json.field("classes", monitors.classes());
                json.field("keptByWait", monitors.keptByWait());
                json.close('}');
            }
        }
        json.close(']');
    }

    private static void figures(Json json, Figures figures) {
        json.field("count", figures.count());
        json.field("heldNanos", figures.nanos());
        json.field("longestNanos", figures.longestNanos());
        if (figures.inProgress().count() > 0) {
            json.name("inProgress").open('{');
            json.field("count", figures.inProgress().count());
            json.field("heldNanos", figures.inProgress().nanos());
            json.close('}');
        }
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

        void strings(String name, List<String> values) {
            name(name).open('[');
            values.forEach(this::string);
            close(']');
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
