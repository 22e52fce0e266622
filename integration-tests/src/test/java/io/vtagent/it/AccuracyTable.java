package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.reference.Observer;
import io.vtagent.it.reference.Scenario;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.parallel.Isolated;

/**
 * {@code mvn -Paccuracy -pl integration-tests -am verify} measures the tables behind {@code
 * docs/accuracy.md} in 20 minutes, and writes them to {@code lab/}.
 */
@Isolated
final class AccuracyTable {
    private static final Duration LENGTH = Duration.ofSeconds(2);
    private static final double ROW_TARGET = 0.02;
    private static final double TARGET = 0.01;

    /** The tolerance relative to the reference sampler, compared with another one. */
    private static final double TOLERANCE = 0.01;

    private static final double WIDE_TOLERANCE = 0.03;
    private static final double SAMPLING_TOLERANCE = 0.06;
    private static final Path LAB = Path.of(System.getProperty("it.root", ".."), "lab");
    private static final Path FILE = LAB.resolve("accuracy-tables.md");
    private static final Path FILE_WITHOUT_EVENTS =
            LAB.resolve("accuracy-tables-without-events.md");

    private final List<Jdk> jdks = List.of(Jdks.jdk21(), Jdks.jdk25());
    private final ScenarioRunner measuring =
            new ScenarioRunner(jdks, LENGTH, List.of(Scenario.values()));
    private final StringBuilder text = new StringBuilder();

    @Test
    void theAgentIsAsExactAsItSaysAndSoIsTheTruth() throws IOException {
        List<Measurement> agent = measuring.agent();
        List<Measurement> jfr = measuring.other(Observer.Kind.JFR);
        List<Measurement> micrometer = measuring.other(Observer.Kind.MICROMETER);
        List<Measurement> sampler = measuring.other(Observer.Kind.SAMPLER);

        begin("Accuracy, as `mvn -Paccuracy` measured it");
        for (Jdk jdk : jdks) {
            observers(of(jdk, agent), of(jdk, jfr), of(jdk, micrometer));
        }
        for (Jdk jdk : jdks) {
            reference(of(jdk, sampler));
        }
        write(FILE);

        assertThat(agent)
                .filteredOn(row -> row.isHeld() && !row.scenario().isStartUp())
                .allSatisfy(
                        row -> {
                            // there are few pins of a single thread, and no sample finds their
                            // start
                            double tolerance =
                                    row.scenario() == Scenario.NATIVE_SLEEP_AT_TIMES
                                            ? WIDE_TOLERANCE
                                            : ROW_TARGET;
                            assertThat(row.share()).isBetween(1 - tolerance, 1 + tolerance);
                            assertThat(row.shareInKind()).isGreaterThanOrEqualTo(1 - tolerance);
                        });
        // otherwise the reference is wrong, and none of the above is valid
        assertThat(sampler)
                .filteredOn(Measurement::isHeld)
                .allSatisfy(
                        row -> {
                            double tolerance =
                                    row.scenario().isStartUp() ? WIDE_TOLERANCE : TOLERANCE;
                            assertThat(row.share()).isBetween(1 - tolerance, 1 + tolerance);
                            assertThat(
                                            row.isHeldAllTheTimeInside()
                                                    ? row.reference() / row.inside()
                                                    : 1)
                                    .isBetween(0.98, 1.01);
                        });
    }

    /** As it is before Flight Recorder has begun. */
    @Test
    void withoutTheJvmsEventsItIsAsExact() throws IOException {
        List<Measurement> agent = measuring.agent("report=off,vm-events=off");
        begin("Accuracy without the JVM's events, as `mvn -Paccuracy` measured it");
        for (Jdk jdk : jdks) {
            text.append("\n### Without events, JDK " + of(jdk, agent).get(0).java() + "\n\n");
            cells("workload", "reference", "vt-agent", "of the reference", "in kind", "target");
            cells("---", "---:", "---:", "---:", "---:", "---");
            for (Measurement row : of(jdk, agent)) {
                if (row.isHeld()) {
                    cells(ofAgent(row.scenario().title(), List.of(row), ROW_TARGET));
                }
            }
            cells(ofAgent("**over all**", of(jdk, agent), TARGET));
        }
        write(FILE_WITHOUT_EVENTS);

        assertThat(agent)
                .filteredOn(Measurement::isHeld)
                .allSatisfy(
                        row -> {
                            assertThat(row.share())
                                    .isBetween(1 - SAMPLING_TOLERANCE, 1 + SAMPLING_TOLERANCE);
                            assertThat(row.shareInKind())
                                    .isGreaterThanOrEqualTo(1 - SAMPLING_TOLERANCE);
                        });
    }

    private void begin(String title) throws IOException {
        text.append("# " + title + "\n\nMeasured on ")
                .append(LocalDate.now(ZoneOffset.UTC))
                .append(": " + processor() + ", " + processors() + " processors, Linux.\n");
    }

    /** Returns the cells of one row that describe the agent, in their order. */
    private static String ofAgent(String title, List<Measurement> agent, double tolerance) {
        return String.join(
                " | ",
                title,
                seconds(agent, Measurement::reference),
                seconds(agent, Measurement::observed),
                percent(agent),
                inKind(agent),
                verdict(agent, tolerance));
    }

    private void write(Path file) throws IOException {
        Files.createDirectories(file.getParent());
        Files.writeString(file, text);
        System.out.println(text);
    }

    private void observers(
            List<Measurement> agent, List<Measurement> jfr, List<Measurement> micrometer) {
        text.append("\n### JDK " + agent.get(0).java() + "\n\n");
        cells(
                "workload",
                "reference",
                "vt-agent",
                "of the reference",
                "in kind",
                "target",
                "`jdk.VirtualThreadPinned`",
                "of its reference",
                "Micrometer",
                "of its reference");
        cells("---", "---:", "---:", "---:", "---:", "---", "---:", "---:", "---:", "---:");
        for (int i = 0; i < agent.size(); i++) {
            Measurement row = agent.get(i);
            observers(
                    row.scenario().title(),
                    List.of(row),
                    List.of(jfr.get(i)),
                    List.of(micrometer.get(i)),
                    ROW_TARGET);
        }
        observers("**over all**", agent, jfr, micrometer, TARGET);
    }

    private void observers(
            String title,
            List<Measurement> agent,
            List<Measurement> jfr,
            List<Measurement> micrometer,
            double tolerance) {
        cells(
                ofAgent(title, agent, tolerance),
                seconds(jfr, Measurement::observed),
                percent(jfr),
                seconds(micrometer, Measurement::observed),
                percent(micrometer));
    }

    private static String inKind(List<Measurement> rows) {
        return isHeld(rows) ? format("%.1f %%", 100 * shareInKind(rows)) : "–";
    }

    private static String verdict(List<Measurement> rows, double tolerance) {
        boolean met = Math.abs(share(rows) - 1) <= tolerance && shareInKind(rows) >= 1 - tolerance;
        return !isHeld(rows) ? "" : met ? "met" : "**missed**";
    }

    private static double shareInKind(List<Measurement> rows) {
        List<Measurement> held = rows.stream().filter(Measurement::isHeld).toList();
        return held.stream().mapToDouble(row -> row.shareInKind() * row.reference()).sum()
                / held.stream().mapToDouble(Measurement::reference).sum();
    }

    private void reference(List<Measurement> rows) {
        text.append("\n### The reference itself, JDK " + rows.get(0).java() + "\n\n");
        cells(
                "workload",
                "reference",
                "of the time inside",
                "second sampler, of the first",
                "waking",
                "run delay",
                "late");
        cells("---", "---:", "---:", "---:", "---:", "---:", "---:");
        rows.stream()
                .filter(Measurement::isHeld)
                .forEach(
                        row ->
                                cells(
                                        row.scenario().title(),
                                        format("%.3f s", row.reference()),
                                        row.isHeldAllTheTimeInside()
                                                ? format(
                                                        "%.2f %%",
                                                        100 * row.reference() / row.inside())
                                                : "–",
                                        format("%.2f %%", 100 * row.share()),
                                        format("%.3f s", row.waking()),
                                        format("%.3f s", row.runDelay()),
                                        format("%.1f %%", 100 * row.late() / row.wall())));
    }

    private void cells(String... cells) {
        text.append("| " + String.join(" | ", cells) + " |\n");
    }

    private static List<Measurement> of(Jdk jdk, List<Measurement> all) {
        return all.stream().filter(row -> row.jdk().equals(jdk)).toList();
    }

    private static String seconds(List<Measurement> rows, ToDoubleFunction<Measurement> figure) {
        return format("%.2f s", rows.stream().mapToDouble(figure).sum());
    }

    private static String percent(List<Measurement> rows) {
        return isHeld(rows) ? format("%.1f %%", 100 * share(rows)) : "–";
    }

    private static String format(String format, double figure) {
        return String.format(Locale.ROOT, format, figure);
    }

    private static boolean isHeld(List<Measurement> rows) {
        return rows.stream().anyMatch(Measurement::isHeld);
    }

    private static double share(List<Measurement> rows) {
        return rows.stream().mapToDouble(Measurement::observed).sum()
                / rows.stream().mapToDouble(Measurement::reference).sum();
    }

    private static String processor() throws IOException {
        List<String> models = new ArrayList<>();
        for (String line : Files.readAllLines(Path.of("/proc/cpuinfo"))) {
            if (line.startsWith("model name")) {
                models.add(line.substring(line.indexOf(':') + 1).strip());
            }
        }
        return models.isEmpty() ? System.getProperty("os.arch") : models.get(0);
    }

    private static int processors() {
        return Runtime.getRuntime().availableProcessors();
    }
}
