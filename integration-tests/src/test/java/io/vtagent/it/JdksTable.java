package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jna.Native;
import io.vtagent.it.truth.JdkCase;
import io.vtagent.it.truth.JdkCases;
import io.vtagent.it.truth.Settled;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** {@code mvn -Pjdks -pl integration-tests -am verify} measures what {@code docs/jdks.md} shows, in a minute for each JDK, and writes it down. */
final class JdksTable {
    private static final int CARRIERS = 8;
    private static final int MILLIS = 600;
    private static final double NANOS_PER_SECOND = 1e9;
    /** A part of the time that is no more than the machine's noise. */
    private static final double LITTLE = 0.1;

    private static final Path FILE = Path.of("target", "jdks.md");

    /**
     * A case on one JDK; all times are in seconds over all threads.
     *
     * @param inside how long the threads were blocked, carrier or not
     * @param truth how long carriers were held, as sampled
     * @param told how long the agent says that they were, by kind and reason
     */
    private record Cell(double inside, double truth, Map<String, Double> told) {

        boolean pins() {
            return truth > LITTLE * inside;
        }

        double all() {
            return told.values().stream().mapToDouble(Double::doubleValue).sum();
        }

        String text() {
            List<String> parts = new ArrayList<>();
            told.forEach((name, seconds) -> {
                if (seconds > LITTLE * inside) {
                    parts.add("`" + name.replace(" ", "` `") + "`");
                }
            });
            if (!pins()) {
                return parts.isEmpty() ? "–" : "– (" + String.join(", ", parts) + ")";
            }
            return String.join(", ", parts) + String.format(Locale.ROOT, " (%.0f %%)", 100 * all() / truth);
        }
    }

    /** The cases on one JDK, in their order. */
    private record Column(Jdk jdk, String java, List<Cell> cells) {}

    @Test
    void theAgentSeesWhatEachJdkPins() throws IOException {
        List<Column> columns = Jdks.all().stream().map(JdksTable::measure).toList();
        String table = table(columns);
        Files.createDirectories(FILE.getParent());
        Files.writeString(FILE, table);
        System.out.println(table);

        for (Column column : columns) {
            for (JdkCase each : JdkCase.values()) {
                Cell cell = column.cells.get(each.ordinal());
                String what = each.kindAndReason(column.jdk.monitorsPin(), column.jdk.unmountsWaitersForInitializers());
                assertThat(cell.pins()).as("%s on %s pins", each, column.java).isEqualTo(!what.isEmpty());
                double told = cell.told.getOrDefault(what, 0.0);
                assertThat(what.isEmpty() ? 1 : told / cell.truth())
                        .as("%s on %s is %s, of %s", each, column.java, what, cell.told)
                        .isBetween(0.85, 1.15);
            }
        }
    }

    private static Column measure(Jdk jdk) {
        try (ForkedJvm jvm = ForkedJvm.on(jdk)
                .carriers(CARRIERS)
                .vm("--enable-native-access=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(Native.class))
                .agent("port=0,report=off,vm-events=on")
                .main(JdkCases.class, arguments())
                .awaitLine("warm")
                .awaitSensor("vm")) {
            Endpoint endpoint = jvm.endpoint();
            List<Cell> cells = new ArrayList<>();
            Map<String, Double> before = settled(endpoint);
            for (JdkCase each : JdkCase.values()) {
                jvm.proceed().awaitLine(each + " done");
                Map<String, Double> now = settled(endpoint);
                Map<String, Double> told = new TreeMap<>(now);
                before.forEach((name, seconds) -> told.merge(name, -seconds, Double::sum));
                before = now;
                cells.add(new Cell(seconds(jvm, each, "inside"), seconds(jvm, each, "truth"), told));
            }
            return new Column(jdk, jvm.fact("java"), cells);
        }
    }

    private static Object[] arguments() {
        List<Object> arguments = new ArrayList<>(List.of(MILLIS));
        arguments.addAll(List.of(JdkCase.values()));
        return arguments.toArray();
    }

    private static double seconds(ForkedJvm jvm, JdkCase jdkCase, String fact) {
        return jvm.number(jdkCase + "." + fact) / NANOS_PER_SECOND;
    }

    /** What the agent says by kind and reason, when all that comes late has come. */
    private static Map<String, Double> settled(Endpoint endpoint) {
        Settled.value(() -> (long) endpoint.report().get("heldNanos").number());
        Map<String, Double> seconds = new TreeMap<>();
        for (Json total : endpoint.report().get("totals").list()) {
            String name = total.get("kind").string() + " " + total.get("reason").string();
            seconds.merge(name, total.get("heldNanos").number() / NANOS_PER_SECOND, Double::sum);
        }
        return seconds;
    }

    private static String table(List<Column> columns) {
        StringBuilder text = new StringBuilder("| |");
        columns.forEach(column -> text.append(' ').append(column.java).append(" |"));
        text.append("\n|---|").append("---|".repeat(columns.size())).append('\n');
        for (JdkCase each : JdkCase.values()) {
            text.append("| ").append(each.title()).append(" |");
            for (Column column : columns) {
                text.append(' ').append(column.cells.get(each.ordinal()).text()).append(" |");
            }
            text.append('\n');
        }
        return text.toString();
    }
}
