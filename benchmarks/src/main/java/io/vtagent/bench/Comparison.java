package io.vtagent.bench;

import io.vtagent.bench.Cost.Measured;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Measures everything on every JVM it is given and prints one table, in Markdown. Progress goes to stderr. */
public final class Comparison {
    private static final Path CPU = Path.of("/proc/cpuinfo");

    private static final String ONLY = "--only=";

    private Comparison() {}

    /**
     * Expects the options, the agent's jar, and the homes of the JDKs. {@code --quick} shows that everything runs; its figures say
     * little. {@code --only=text} measures the lines that contain the text.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> rest = new ArrayList<>(List.of(arguments));
        boolean quick = rest.remove("--quick");
        String only = rest.get(0).startsWith(ONLY) ? rest.remove(0).substring(ONLY.length()) : "";
        Path agentJar = Path.of(rest.remove(0)).toAbsolutePath();
        Path scratch = Files.createTempDirectory("vt-agent-benchmarks");
        List<Jvm> jvms = new ArrayList<>();
        for (String home : rest) {
            jvms.add(Jvm.at(Path.of(home), scratch));
        }
        String machine = machine();
        List<Cost> costs = new Costs(agentJar, quick)
                .all().stream().filter(cost -> cost.what().contains(only)).toList();
        StringBuilder table = new StringBuilder(header(jvms));
        for (int line = 0; line < costs.size(); line++) {
            table.append(line(costs.get(line), jvms, (line + 1) + "/" + costs.size()));
        }
        String warning = quick ? "\nMeasured with --quick: the figures say little." : "";
        System.out.println(table + "\n" + machine + warning);
    }

    private static String header(List<Jvm> jvms) {
        StringBuilder header = new StringBuilder("| what the agent adds | target |");
        jvms.forEach(jvm -> header.append(" JDK ").append(jvm.version()).append(" |"));
        return header + " met |\n" + "|---".repeat(jvms.size() + 3) + "|\n";
    }

    private static String line(Cost cost, List<Jvm> jvms, String progress) {
        StringBuilder line = new StringBuilder("| " + cost.what() + " | " + orDash(cost.target()) + " |");
        List<String> missed = new ArrayList<>();
        for (Jvm jvm : jvms) {
            System.err.printf("[%s] %s, JDK %s: ", progress, cost.what(), jvm.version());
            Measured measured = cost.on().apply(jvm);
            System.err.println(measured.text());
            line.append(' ').append(measured.text()).append(" |");
            if (!measured.met()) {
                missed.add(String.valueOf(jvm.feature()));
            }
        }
        String met = missed.isEmpty() ? "yes" : "not on " + String.join(", ", missed);
        return line + " " + (cost.target().isEmpty() ? "–" : met) + " |\n";
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "–" : text;
    }

    /** What the figures hold for. A machine that had other work at the start is given away by its load. */
    private static String machine() throws IOException {
        var system = ManagementFactory.getOperatingSystemMXBean();
        return String.format(
                Locale.ROOT,
                "%s, %d processors, %s %s; load average at the start %.1f; %s.",
                cpu(system.getArch()),
                system.getAvailableProcessors(),
                system.getName(),
                system.getArch(),
                system.getSystemLoadAverage(),
                LocalDate.now(ZoneOffset.UTC));
    }

    private static String cpu(String unknown) throws IOException {
        if (!Files.isReadable(CPU)) {
            return unknown;
        }
        return Files.readAllLines(CPU).stream()
                .filter(line -> line.startsWith("model name"))
                .map(line -> line.substring(line.indexOf(':') + 1).strip())
                .findFirst()
                .orElse(unknown);
    }
}
