package io.vtagent.exporter;

import io.vtagent.report.AnswerFacts;
import io.vtagent.report.AnswerRules;
import io.vtagent.report.PinReport;
import io.vtagent.report.ReportSince;
import java.util.ArrayDeque;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Adds to reports the answer why virtual threads are slow: about the last minute while the JVM
 * runs, and about the whole run at its end. Thread-safe by one lock, under which nothing blocks.
 */
final class Answers implements Exporter {
    /** The length of the period that an answer is about. */
    static final long PERIOD_NANOS = TimeUnit.SECONDS.toNanos(60);

    /** The time between two reports that are kept to compare later ones with. */
    static final long STEP_NANOS = TimeUnit.SECONDS.toNanos(10);

    private final BooleanSupplier ran;
    private final StandingThreads standing;
    private final AnswerFacts.Threads threads;

    /** The oldest first. */
    private final ArrayDeque<PinReport> past = new ArrayDeque<>();

    /**
     * @param ran returns whether a virtual thread has run
     * @param mounts returns the number of mounts of the application's virtual threads so far
     * @param readings where virtual threads are now
     */
    Answers(BooleanSupplier ran, LongSupplier mounts, ThreadReadings readings) {
        this.ran = ran;
        standing = new StandingThreads(mounts);
        threads = new ThreadPlaces(readings, standing);
    }

    @Override
    public synchronized void publish(PinReport report) {
        standing.keep(System.nanoTime());
        PinReport newest = past.peekLast();
        if (newest == null || report.uptimeNanos() - newest.uptimeNanos() >= STEP_NANOS) {
            past.addLast(report);
        }
        PinReport oldest = past.pollFirst();
        PinReport next = past.peekFirst();
        // the newest of those that are old enough is the one to compare with
        if (oldest != null
                && (next == null || report.uptimeNanos() - next.uptimeNanos() < PERIOD_NANOS)) {
            past.addFirst(oldest);
        }
    }

    /** Returns {@code report} with the answer about the last minute. */
    PinReport aboutLastMinute(PinReport report) {
        PinReport base = base(report);
        return answered(report, base == null ? report : ReportSince.of(base, report));
    }

    /** Returns {@code report} with the answer about the whole run. */
    PinReport aboutWholeRun(PinReport report) {
        return answered(report, report);
    }

    private PinReport answered(PinReport report, PinReport period) {
        return report.with(
                AnswerRules.answer(
                        new AnswerFacts(
                                period,
                                ran.getAsBoolean(),
                                Runtime.getRuntime().availableProcessors(),
                                threads)));
    }

    /** Returns the report that the period begins with; null if that is the start of the agent. */
    private synchronized @Nullable PinReport base(PinReport report) {
        PinReport base = null;
        for (PinReport each : past) {
            if (report.uptimeNanos() - each.uptimeNanos() >= PERIOD_NANOS) {
                base = each;
            }
        }
        return base;
    }
}
