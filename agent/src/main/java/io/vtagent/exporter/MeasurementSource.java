package io.vtagent.exporter;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.diagnosis.Starvation;
import io.vtagent.diagnosis.ThreadCounts;
import io.vtagent.instrument.Installation;
import io.vtagent.ledger.HeldTime;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.Samples;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.report.BusyReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReportMaker;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.usage.CarrierUsage;
import io.vtagent.usage.DelayProbe;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * The data that all exporters publish.
 *
 * @param watch null where no carriers can be sampled
 * @param delay null where the run queue delay is not measured
 * @param held shared by all exporters, because it keeps what it has reported, so that the values
 *     never decrease
 * @param threads where virtual threads are
 * @param answers why virtual threads are slow
 */
public record MeasurementSource(
        Ledger ledger,
        @Nullable CarrierMonitoring watch,
        @Nullable DelayProbe delay,
        ReliefFigures relief,
        Installation installation,
        Sensors sensors,
        HeldTime held,
        ThreadReadings threads,
        Answers answers,
        long beganNanos) {

    /** Creates the source of what the given parts measure. */
    public static MeasurementSource of(
            Ledger ledger,
            @Nullable CarrierMonitoring watch,
            @Nullable DelayProbe delay,
            ReliefFigures relief,
            Installation installation,
            Sensors sensors,
            long beganNanos) {
        ThreadReadings threads = ThreadReadings.of(watch);
        return new MeasurementSource(
                ledger,
                watch,
                delay,
                relief,
                installation,
                sensors,
                new HeldTime(ledger::totals, () -> active(ledger, watch)),
                threads,
                new Answers(
                        () -> watch == null || watch.pool().isUsed(),
                        () -> watch == null ? 0 : watch.pool().mounts() - probes(delay),
                        threads),
                beganNanos);
    }

    /** Returns the number of virtual threads that the agent itself has run. */
    private static long probes(@Nullable DelayProbe delay) {
        return delay == null ? 0 : delay.delays().totals().count();
    }

    /** Passes new data to the meters. */
    void collect() {
        ledger.totals();
        if (delay != null) {
            delay.delays().totals();
        }
    }

    /** Returns a source of synthetic pins. */
    MeasurementSource synthetic() {
        PinnedStack stack =
                new PinnedStack(
                        List.of("a.B.c(B.java:1)"),
                        0,
                        "a.B.c:1",
                        PinnedStack.Cause.MONITOR,
                        "a.B",
                        "a.B.d",
                        null,
                        null,
                        Map.of());
        Ledger syntheticLedger = new Ledger(true, 0, new FramesOfInterest(1), 1, Buckets.FINE);
        for (PinKind kind : PinKind.values()) {
            syntheticLedger.add(kind, PinReason.MONITOR, 1, () -> stack);
            syntheticLedger.add(kind, PinReason.NONE, 1, () -> null);
            syntheticLedger.addSampled(
                    kind,
                    PinReason.NONE,
                    1,
                    new Samples(1, 1, 0),
                    PinnedThread.of(Thread.currentThread(), 0),
                    () -> stack);
        }
        DelayProbe noProbe = null;
        if (watch != null && delay != null) {
            noProbe = new DelayProbe(watch.pool(), ledger.arrivals(), 1, Buckets.FINE);
            noProbe.delays().add(1);
        }
        return MeasurementSource.of(
                syntheticLedger, watch, noProbe, relief, installation, sensors, beganNanos);
    }

    /**
     * Starts sampling the carriers. A further call starts what could not be started before.
     *
     * @throws OutOfMemoryError if a thread cannot be started
     */
    void startWatching() {
        if (watch != null) {
            startWatching(watch);
        }
        if (delay != null) {
            delay.start();
        }
    }

    private static void startWatching(CarrierMonitoring watch) {
        try {
            watch.start();
        } catch (Throwable failure) {
            watch.notStarted(failure);
            throw failure;
        }
    }

    /** Returns the pins in progress. */
    List<ActivePin> active() {
        return active(ledger, watch);
    }

    private static List<ActivePin> active(Ledger ledger, @Nullable CarrierMonitoring watch) {
        return watch == null ? ledger.active() : watch.active();
    }

    /** Returns the time since the agent began. */
    long uptimeNanos() {
        return System.nanoTime() - beganNanos;
    }

    PinReport report() {
        PinReport.Starved starved =
                watch == null ? PinReport.Starved.NEVER : starved(watch.starvation());
        PinReport.Relieved relieved =
                !isRelieved()
                        ? PinReport.Relieved.OFF
                        : new PinReport.Relieved(
                                true, relief.added(), relief.pins(), relief.nanos());
        PinReport.Delayed delayed =
                delay == null
                        ? PinReport.Delayed.OFF
                        : PinReport.Delayed.of(delay.delays().totals(), delay.currentNanos());
        PinReport report =
                PinReportMaker.of(
                        ledger,
                        this::active,
                        starved,
                        delayed,
                        relieved,
                        scheduler(),
                        jvm(),
                        uptimeNanos());
        return watch == null
                ? report
                : report.with(BusyReport.of(watch.busy())).with(carrierTime(watch, report.nanos()));
    }

    private static PinReport.CarrierTime carrierTime(CarrierMonitoring watch, long heldNanos) {
        CarrierUsage.Totals figures = watch.usage().count(heldNanos);
        return new PinReport.CarrierTime(
                figures.heldNanos(),
                figures.runningNanos(),
                figures.runnableNanos(),
                figures.idleNanos(),
                figures.lostNanos(),
                figures.waitedHeldNanos(),
                figures.waitedBusyNanos(),
                figures.throttledNanos(),
                figures.pausedNanos());
    }

    /** Returns whether relief is on or has been on. */
    private boolean isRelieved() {
        return relief.isOn() || relief.pins() > 0;
    }

    /** Returns the report with the answer about the last minute. */
    PinReport answered() {
        return answers.aboutLastMinute(report());
    }

    /**
     * Returns the last report of a JVM that is shutting down, with all that it has recorded and the
     * answer about the whole run.
     */
    PinReport lastReport() {
        awaitShutdown();
        return answers.aboutWholeRun(report());
    }

    /** Waits until everything that the JVM, which is shutting down, has recorded is counted. */
    void awaitShutdown() {
        if (watch != null) {
            watch.awaitShutdown();
        }
    }

    private PinReport.Starved starved(Starvation starvation) {
        Diagnosis current = starvation.current();
        List<PinReport.Past> past =
                starvation.past().stream()
                        .map(
                                over ->
                                        new PinReport.Past(
                                                over.beganNanos() - beganNanos,
                                                over.lastedNanos(),
                                                over.diagnosis()))
                        .toList();
        Diagnosis last = past.isEmpty() ? null : past.getFirst().diagnosis();
        return new PinReport.Starved(
                starvation.periods(),
                starvation.nanos(),
                current == null ? last : current,
                current != null,
                past);
    }

    private PinReport.Scheduler scheduler() {
        if (watch == null) {
            return PinReport.Scheduler.UNKNOWN;
        }
        CarrierPool pool = watch.pool();
        return new PinReport.Scheduler(
                pool.parallelism(),
                pool.size(),
                pool.max(),
                watch.held(),
                pool.queued(),
                new ThreadCounts(pool, watch.threads()).all());
    }

    /** Describes the JVM and the agent. */
    PinReport.Jvm jvm() {
        return jvm(installation, sensors);
    }

    /** Describes the JVM and the agent when nothing has been measured. */
    static PinReport.Jvm jvm(Installation installation, Sensors sensors) {
        String version = MeasurementSource.class.getPackage().getImplementationVersion();
        return new PinReport.Jvm(
                version == null ? "?" : version,
                javaVersion(),
                installation.carriers(),
                installation.monitorsPin(),
                installation.attached(),
                sensors.failures());
    }

    /**
     * Returns the original value of the system property {@code java.version}, which the application
     * may have changed.
     */
    private static String javaVersion() {
        StringBuilder text = new StringBuilder();
        for (int number : Runtime.version().version()) {
            text.append(text.isEmpty() ? "" : ".").append(number);
        }
        Optional<String> pre = Runtime.version().pre();
        return pre.isEmpty() ? text.toString() : text + "-" + pre.get();
    }
}
