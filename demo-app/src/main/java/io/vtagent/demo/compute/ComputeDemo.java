package io.vtagent.demo.compute;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.LongSummaryStatistics;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.TimeUnit;

/**
 * Threads that compute, as many at a time as there are carriers by default here, and beside them
 * virtual threads that are due every 10 ms. A thread that computes is not pinned, but does not
 * leave its carrier either, so the others wake up late.
 */
public final class ComputeDemo implements DemoCase {

    private static final String VIRTUAL = "virtual";
    private static final String YIELDING = "virtual-yielding";
    private static final String MORE_CARRIERS = "virtual-more-carriers";
    private static final String PLATFORM = "platform";
    private static final String MILLIS_LATE = "ms late";

    private static final int COMPUTING_AT_A_TIME = 8;
    private static final int SLEEPERS = 20;
    private static final long PERIOD_NANOS = TimeUnit.MILLISECONDS.toNanos(10);

    /** The steps of about a millisecond of CPU time. */
    private static final int STEPS_PER_MILLI = 500_000;

    @Override
    public String name() {
        return "compute";
    }

    @Override
    public String shows() {
        return "Virtual threads that compute, beside others that sleep: how fast they are, and how"
                + " late the others wake up.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "Virtual threads are not faster threads, and not suitable for long-running"
                                + " CPU-intensive operations."),
                Claim.of(
                        Article.PINNING,
                        "Tasks that compute hold carriers without yielding: where they run"
                            + " alongside tasks of I/O, increase the carrier pool. Otherwise more"
                            + " parallelism than processors is rarely useful."));
    }

    @Override
    public String comparison() {
        return "So it is, on both JDKs. The computing is as fast on platform threads, on virtual"
                + " threads, and with more carriers than processors, which without other threads"
                + " that want to run are of no use. But while eight threads compute on eight"
                + " carriers, nobody else is mounted until one of them is done. More carriers"
                + " than threads that compute help, as the article says (it is parallelism that"
                + " counts, not maxPoolSize); so does computing on platform threads, and"
                + " Thread.yield now and then, on JDK 21 not always much. It is not a pin: there"
                + " is no event for it, and the agent counts nothing as held; its gauge"
                + " vthread.scheduler.queued shows how many threads wait for a carrier.";
    }

    @Override
    public String figure() {
        return MILLIS_LATE;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                onCarriers(VIRTUAL, "computes on virtual threads", COMPUTING_AT_A_TIME),
                onCarriers(YIELDING, "the same, and yields every millisecond", COMPUTING_AT_A_TIME),
                onCarriers(
                        MORE_CARRIERS,
                        "computes on virtual threads, with twice the carriers",
                        2 * COMPUTING_AT_A_TIME),
                onCarriers(PLATFORM, "computes on platform threads", COMPUTING_AT_A_TIME));
    }

    private static Variant onCarriers(String name, String what, int carriers) {
        return Variant.of(name, what).onCarriers(carriers, 256);
    }

    /** A task computes for that long, on a CPU of its own. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 400 : 40, 50);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        boolean yields = variant.equals(YIELDING);
        ThreadFactory threads =
                variant.equals(PLATFORM)
                        ? Thread.ofPlatform().factory()
                        : Thread.ofVirtual().factory();
        Load.warmUp(number -> compute(1, yields));
        Sleepers sleepers = new Sleepers();
        double seconds =
                Load.run(
                        threads,
                        settings.tasks(),
                        COMPUTING_AT_A_TIME,
                        number -> compute(settings.latencyMillis(), yields));
        LongSummaryStatistics lateNanos = sleepers.end();
        return Result.of(MILLIS_LATE, lateNanos.getAverage() / 1e6)
                .with("at most, ms", lateNanos.getMax() / 1e6)
                .with(Result.TASKS_PER_SECOND, settings.tasks() / seconds);
    }

    @SuppressWarnings("ThreadPriorityCheck") // what Thread.yield does is what this is about
    private static long compute(int millis, boolean yields) {
        long random = 1;
        for (int milli = 0; milli < millis; milli++) {
            for (int step = 0; step < STEPS_PER_MILLI; step++) {
                random ^= random << 13;
                random ^= random >>> 7;
                random ^= random << 17;
            }
            if (yields) {
                Thread.yield();
            }
        }
        if (random == 0) {
            throw new IllegalStateException("a sum that the compiler cannot do without");
        }
        return random;
    }

    /**
     * Virtual threads that are due every 10 ms and record how late they are. A thread that has
     * missed some deadlines is late for each of them.
     */
    private static final class Sleepers {

        private final List<Thread> threads = new ArrayList<>();
        private final List<LongSummaryStatistics> lateNanos = new ArrayList<>();
        private volatile boolean ending;

        Sleepers() {
            for (int i = 0; i < SLEEPERS; i++) {
                LongSummaryStatistics own = new LongSummaryStatistics();
                lateNanos.add(own);
                threads.add(
                        Thread.ofVirtual()
                                .name("sleeper-", i)
                                .start(() -> sleepAgainAndAgain(own)));
            }
        }

        private void sleepAgainAndAgain(LongSummaryStatistics late) {
            try {
                for (long dueNanos = System.nanoTime(); !ending; dueNanos += PERIOD_NANOS) {
                    Thread.sleep(Duration.ofNanos(Math.max(dueNanos - System.nanoTime(), 0)));
                    late.accept(System.nanoTime() - dueNanos);
                }
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }

        LongSummaryStatistics end() throws InterruptedException {
            ending = true;
            for (Thread thread : threads) {
                thread.join();
            }
            LongSummaryStatistics all = new LongSummaryStatistics();
            lateNanos.forEach(all::combine);
            return all;
        }
    }
}
