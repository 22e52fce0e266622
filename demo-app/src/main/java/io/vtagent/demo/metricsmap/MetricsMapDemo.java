package io.vtagent.demo.metricsmap;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;

/**
 * Counters by name, in a map: of adders that are made for concurrency, behind a monitor that lets
 * one thread in at a time.
 *
 * <p>There is no I/O in it. A carrier is held during the wait for the monitor.
 */
public final class MetricsMapDemo implements DemoCase {

    private static final int NAMES = 20;
    private static final int RECORDS_PER_TASK = 1_000;
    private static final String RECORDS_PER_SECOND = "records/s";

    @Override
    public String name() {
        return "metrics-map";
    }

    @Override
    public String shows() {
        return "A map of counters behind a synchronized method, against a ConcurrentHashMap:"
                + " nothing blocks in it, but many want it.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "A synchronized record() on a HashMap of LongAdders is a synchronized block"
                            + " with I/O that pins; ConcurrentHashMap.computeIfAbsent needs no lock"
                            + " at all."),
                Claim.of(
                        Article.EXPLORATION,
                        "There is no need to replace synchronized where it protects something"
                                + " short, such as operations in memory."));
    }

    @Override
    public String comparison() {
        return "There is no I/O in it, so jdk.VirtualThreadPinned and jdk.tracePinnedThreads never"
                + " show it, on any JDK. What holds carriers on JDK 21 is the wait for the"
                + " monitor, which the agent counts as kind enter: when the operating system"
                + " takes the processor away from the thread that is inside, all the others wait"
                + " for its next turn. From JDK 24 on (JEP 491) they leave their carriers; they"
                + " still come in one at a time. So whether short is short enough depends on how"
                + " many want it. computeIfAbsent has locks, too, one a bin: its function must"
                + " not block, for that pins (the agent tells).";
    }

    @Override
    public String figure() {
        return RECORDS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("pinned", "synchronized on a HashMap"),
                Variant.of("fixed", "a ConcurrentHashMap and no lock"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 20_000 : 5_000, 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Metrics metrics =
                variant.equals("pinned") ? new SynchronizedMetrics() : new ConcurrentMetrics();
        Load.Task task =
                number -> {
                    for (int i = 0; i < RECORDS_PER_TASK; i++) {
                        metrics.record("requests." + (number + i) % NAMES, i);
                    }
                };
        Load.warmUp(task);
        double seconds = Load.run(settings.tasks(), settings.tasks(), task);
        return Result.of(
                RECORDS_PER_SECOND, (double) settings.tasks() * RECORDS_PER_TASK / seconds);
    }

    private interface Metrics {
        void record(String metric, long value);
    }

    private static final class SynchronizedMetrics implements Metrics {

        private final Map<String, LongAdder> metrics = new HashMap<>();

        @Override
        public synchronized void record(String metric, long value) {
            metrics.computeIfAbsent(metric, name -> new LongAdder()).add(value);
        }
    }

    private static final class ConcurrentMetrics implements Metrics {

        private final Map<String, LongAdder> metrics = new ConcurrentHashMap<>();

        @Override
        public void record(String metric, long value) {
            metrics.computeIfAbsent(metric, name -> new LongAdder()).add(value);
        }
    }
}
