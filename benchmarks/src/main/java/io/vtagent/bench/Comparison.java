package io.vtagent.bench;

import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.Row.Verdict;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;

/**
 * Measures everything on every JVM it is given. The result of a whole run replaces the document;
 * otherwise it goes to stdout. Progress goes to stderr.
 */
public final class Comparison {
    private static final String ONLY = "--only=";
    private static final String TITLE = "# Overhead, as `benchmarks/run` measured it\n\n";
    private static final long NANOS_PER_SECOND = 1_000_000_000;
    private static final int SECONDS_PER_MINUTE = 60;

    private Comparison() {}

    /**
     * Expects the options, what is measured, the agent's jar, the service's, the folder of the
     * other agents, the document, and the homes of the JDKs. {@code --quick} shows that everything
     * runs; its figures mean little. {@code --only=text} measures the lines that contain the text,
     * also those {@link Row#onDemand on demand}, and {@code --only=curves} the curves.
     */
    public static void main(String[] arguments) throws IOException, InterruptedException {
        List<String> rest = new ArrayList<>(List.of(arguments));
        boolean quick = rest.remove("--quick");
        String only = rest.get(0).startsWith(ONLY) ? rest.remove(0).substring(ONLY.length()) : "";
        String commit = rest.remove(0);
        Path agentJar = Path.of(rest.remove(0)).toAbsolutePath();
        Services services = new Services(Path.of(rest.remove(0)).toAbsolutePath());
        Arms arms = new Arms(agentJar, Path.of(rest.remove(0)));
        Path document = Path.of(rest.remove(0));
        Path scratch = Files.createTempDirectory("vt-agent-benchmarks");
        List<Jvm> jvms = new ArrayList<>();
        for (String home : rest) {
            jvms.add(Jvm.at(Path.of(home), scratch));
        }
        String machine = Machine.description();
        long beganNanos = System.nanoTime();
        List<Row> rows =
                rows(jvms, arms, services, quick).stream()
                        .filter(row -> only.isEmpty() ? !row.onDemand() : row.what().contains(only))
                        .toList();
        String table = rows.isEmpty() ? "" : table(rows, jvms);
        String curves = only.equals("curves") ? new Curves(arms, quick).on(jvms) : "";
        long minutes = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND / SECONDS_PER_MINUTE;
        String measured =
                "Commit "
                        + commit
                        + ", measured on "
                        + machine
                        + "; it took "
                        + minutes
                        + " minutes. A target is met if the better quartile, in brackets, meets"
                        + " it, or the figure where there are no quartiles.\n\n"
                        + table
                        + "\n"
                        + curves;
        if (only.isEmpty() && !quick) {
            Files.writeString(document, TITLE + measured);
        } else {
            System.out.println(
                    measured + (quick ? "Measured with --quick: the figures say little." : ""));
        }
    }

    /** In the order of the table. */
    private static List<Row> rows(List<Jvm> jvms, Arms arms, Services services, boolean quick) {
        Forks forks = new Forks(quick);
        List<Row> all = new ArrayList<>();
        all.addAll(new StartRows(arms, services, quick).all());
        all.addAll(new LoadRows(arms, services, quick).all());
        all.addAll(new WatchRows(jvms, arms, quick).all());
        all.addAll(new MonitorRows(forks, arms).all());
        all.addAll(new PinRows(forks, arms).all());
        all.addAll(new SwitchRows(forks, arms, quick).all());
        all.addAll(new ReliefRows(arms, quick).all());
        return all;
    }

    private static String table(List<Row> rows, List<Jvm> jvms) {
        StringBuilder table = new StringBuilder("| what the agent adds | target |");
        jvms.forEach(jvm -> table.append(" JDK ").append(jvm.version()).append(" |"));
        table.append(" met |\n").append("|---".repeat(jvms.size() + 3)).append("|\n");
        for (int i = 0; i < rows.size(); i++) {
            table.append(line(rows.get(i), jvms, (i + 1) + "/" + rows.size()));
        }
        return table.toString();
    }

    private static String line(Row row, List<Jvm> jvms, String progress) {
        StringBuilder line =
                new StringBuilder("| " + row.what() + " | " + orDash(row.target()) + " |");
        Map<Verdict, List<String>> versions = new EnumMap<>(Verdict.class);
        for (Jvm jvm : jvms) {
            System.err.printf("[%s] %s, JDK %s: ", progress, row.what(), jvm.version());
            Measured measured = row.on().apply(jvm);
            System.err.println(measured.text());
            line.append(' ').append(measured.text()).append(" |");
            versions.computeIfAbsent(measured.verdict(), unused -> new ArrayList<>())
                    .add(String.valueOf(jvm.feature()));
        }
        return line + " " + (row.target().isEmpty() ? "–" : inWords(versions)) + " |\n";
    }

    private static String inWords(Map<Verdict, List<String>> versions) {
        if (versions.keySet().equals(EnumSet.of(Verdict.MET))) {
            return "yes";
        }
        List<String> words = new ArrayList<>();
        versions.forEach(
                (verdict, on) ->
                        words.add(
                                switch (verdict) {
                                    case MET -> "on " + String.join(", ", on);
                                    case MISSED -> "**not on " + String.join(", ", on) + "**";
                                }));
        return String.join(", ", words);
    }

    private static String orDash(String text) {
        return text.isEmpty() ? "–" : text;
    }
}
