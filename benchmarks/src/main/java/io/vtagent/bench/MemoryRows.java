package io.vtagent.bench;

import io.vtagent.bench.Processes.Outcome;
import io.vtagent.bench.Processes.Program;
import io.vtagent.bench.Processes.Rounds;
import io.vtagent.bench.Row.Measured;
import io.vtagent.bench.program.ManySites;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** The memory of the agent, and the cost of reading it all. */
final class MemoryRows {
    private static final double MEBIBYTE = 1 << 20;
    private static final double KIBIBYTES_PER_MEBIBYTE = 1 << 10;
    private static final String SITES = "200";
    private static final String PINS = "10000000";
    private static final String FEW_PINS = "100000";
    private static final double MAX_LIVE_MEBIBYTES = 10;
    private static final double MAX_SCRAPE_MILLIS = 5;
    private static final double MAX_JAR_MEBIBYTES = 6;
    private static final int ROUNDS = 2;
    private static final int NONE = 0;
    private static final int AGENT = 1;
    private static final List<String> JVM_ARGUMENTS =
            List.of(
                    "-Djdk.reflect.useNativeAccessorOnly=true",
                    "--add-exports=java.management/sun.management=ALL-UNNAMED");

    private final Path agentJar;
    private final Arms arms;
    private final boolean quick;
    private final Map<Jvm, Rounds> pinned = new HashMap<>();

    MemoryRows(Path agentJar, Arms arms, boolean quick) {
        this.agentJar = agentJar;
        this.arms = arms;
        this.quick = quick;
    }

    List<Row> all() {
        String afterwards = "after 10 million pins on 200 sites of 50 frames: ";
        return List.of(
                new Row(
                        afterwards + "live heap",
                        "at most +10 MiB",
                        jvm ->
                                memory(
                                        jvm,
                                        outcome -> outcome.printed("liveBytes") / MEBIBYTE,
                                        MAX_LIVE_MEBIBYTES)),
                new Row(
                        afterwards + "peak resident memory",
                        "",
                        jvm ->
                                memory(
                                        jvm,
                                        outcome ->
                                                outcome.printed("peakResidentKiB")
                                                        / KIBIBYTES_PER_MEBIBYTE,
                                        Double.MAX_VALUE)),
                new Row(afterwards + "a scrape", "at most 5 ms", this::scrape),
                new Row("the jar", "at most 6 MiB", jvm -> jar()));
    }

    private Measured memory(Jvm jvm, ToDoubleFunction<Outcome> mebibytes, double limit) {
        Pairs.Summary summary = pinned(jvm).pairs(NONE, AGENT, mebibytes).differences();
        return new Measured(summary.text("%+.1f", " MiB"), summary.atMost(limit));
    }

    private Measured scrape(Jvm jvm) {
        double millis = scraped(jvm, "scrapeMillis");
        String text =
                String.format(
                        Locale.ROOT,
                        "%.1f ms for %.0f KiB, the longest of 100: %.0f ms, the first before them:"
                                + " %.0f ms; in the 100 the JVM stopped its threads %.1f times, for"
                                + " %.0f ms in all, %.1f of them to collect garbage",
                        millis,
                        scraped(jvm, "scrapedBytes") / KIBIBYTES_PER_MEBIBYTE,
                        scraped(jvm, "longestScrapeMillis"),
                        scraped(jvm, "firstScrapeMillis"),
                        scraped(jvm, "stops"),
                        scraped(jvm, "stoppedMillis"),
                        scraped(jvm, "collections"));
        return new Measured(text, millis <= MAX_SCRAPE_MILLIS);
    }

    private double scraped(Jvm jvm, String figure) {
        return Pairs.median(pinned(jvm).figures(AGENT, outcome -> outcome.printed(figure)));
    }

    private Rounds pinned(Jvm jvm) {
        return pinned.computeIfAbsent(jvm, this::measure);
    }

    private Rounds measure(Jvm jvm) {
        String pins = quick ? FEW_PINS : PINS;
        int rounds = quick ? 1 : ROUNDS;
        int port = freePort();
        Arm agent = arms.agentAt(port, "report=off", "log=error");
        Rounds without =
                Processes.alternate(
                        jvm,
                        List.of(arms.none().with(JVM_ARGUMENTS)),
                        rounds,
                        new Program(ManySites.class, SITES, pins, "0"));
        Rounds with =
                Processes.alternate(
                        jvm,
                        List.of(agent.with(JVM_ARGUMENTS)),
                        rounds,
                        new Program(ManySites.class, SITES, pins, Integer.toString(port)));
        return new Rounds(List.of(without.arms().get(0), with.arms().get(0)));
    }

    private static int freePort() {
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            return socket.getLocalPort();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }

    private Measured jar() {
        try {
            double mebibytes = Files.size(agentJar) / MEBIBYTE;
            return new Measured(
                    String.format(Locale.ROOT, "%.1f MiB", mebibytes),
                    mebibytes <= MAX_JAR_MEBIBYTES);
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
