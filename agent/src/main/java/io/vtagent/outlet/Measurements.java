package io.vtagent.outlet;

import io.vtagent.instrument.Installation;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.HeldTime;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.record.Sensors;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReportMaker;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.PinnedStack;
import io.vtagent.watch.DelayProbe;
import io.vtagent.watch.Diagnosis;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * What there is to tell.
 *
 * @param watch null where there are no carriers to watch
 * @param delay null where there is no such probe
 * @param held is one for all who tell of it: each keeps what it told once, so that it never decreases
 */
public record Measurements(
        Ledger ledger,
        @Nullable Watch watch,
        @Nullable DelayProbe delay,
        ReliefFigures relief,
        Installation installation,
        Sensors sensors,
        HeldTime held,
        long beganNanos) {

    public Measurements(
            Ledger ledger,
            @Nullable Watch watch,
            @Nullable DelayProbe delay,
            ReliefFigures relief,
            Installation installation,
            Sensors sensors,
            long beganNanos) {
        this(
                ledger,
                watch,
                delay,
                relief,
                installation,
                sensors,
                new HeldTime(ledger::totals, () -> active(ledger, watch)),
                beganNanos);
    }

    /** Hands what is new to the meters. */
    void collect() {
        ledger.totals();
        if (delay != null) {
            delay.delays().totals();
        }
    }

    /** The same of pins that are made up. */
    Measurements madeUp() {
        PinnedStack stack = new PinnedStack(
                List.of("a.B.c(B.java:1)"),
                0,
                "a.B.c:1",
                PinnedStack.Cause.MONITOR,
                "a.B",
                "a.B.d",
                null,
                null,
                Map.of());
        Ledger madeUp = new Ledger(true, 0, new FramesOfInterest(1), 1, Buckets.FINE);
        for (PinKind kind : PinKind.values()) {
            madeUp.add(kind, PinReason.MONITOR, 1, () -> stack);
            madeUp.add(kind, PinReason.NONE, 1, () -> null);
        }
        DelayProbe noProbe = null;
        if (watch != null && delay != null) {
            noProbe = new DelayProbe(watch.pool(), ledger.arrivals(), 1, Buckets.FINE);
            noProbe.delays().add(1);
        }
        return new Measurements(madeUp, watch, noProbe, relief, installation, sensors, beganNanos);
    }

    /**
     * From now on carriers are looked at. Called again it starts what it could not start before.
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

    private static void startWatching(Watch watch) {
        try {
            watch.start();
        } catch (Throwable failure) {
            watch.notStarted(failure);
            throw failure;
        }
    }

    /** The pins in progress. */
    List<ActivePin> active() {
        return active(ledger, watch);
    }

    private static List<ActivePin> active(Ledger ledger, @Nullable Watch watch) {
        return watch == null ? ledger.active() : watch.active();
    }

    /** How long the agent has been there. */
    long uptimeNanos() {
        return System.nanoTime() - beganNanos;
    }

    PinReport report() {
        if (watch != null && !watch.pool().isUsed() && ledger.isUntouched()) {
            return PinReportMaker.ofNothing(delay != null, isRelieved(), scheduler(), jvm(), uptimeNanos());
        }
        PinReport.Starved starved = watch == null ? PinReport.Starved.NEVER : starved(watch.starvation());
        PinReport.Relieved relieved = !isRelieved()
                ? PinReport.Relieved.OFF
                : new PinReport.Relieved(true, relief.added(), relief.pins(), relief.nanos());
        PinReport.Delayed delayed = delay == null
                ? PinReport.Delayed.OFF
                : PinReport.Delayed.of(delay.delays().totals(), delay.currentNanos());
        return PinReportMaker.of(ledger, this::active, starved, delayed, relieved, scheduler(), jvm(), uptimeNanos());
    }

    /** Whether relief is on, or was. */
    private boolean isRelieved() {
        return relief.isOn() || relief.pins() > 0;
    }

    /** With all that was told until the JVM, which shuts down, does. */
    PinReport lastReport() {
        awaitShutdown();
        return report();
    }

    /** Waits until everything has been counted that the JVM, which shuts down, has told of. */
    void awaitShutdown() {
        if (watch != null) {
            watch.awaitShutdown();
        }
    }

    private PinReport.Starved starved(Starvation starvation) {
        Diagnosis current = starvation.current();
        List<PinReport.Past> past = starvation.past().stream()
                .map(over -> new PinReport.Past(over.beganNanos() - beganNanos, over.lastedNanos(), over.diagnosis()))
                .toList();
        Diagnosis last = past.isEmpty() ? null : past.getFirst().diagnosis();
        return new PinReport.Starved(
                starvation.periods(), starvation.nanos(), current == null ? last : current, current != null, past);
    }

    private PinReport.Scheduler scheduler() {
        if (watch == null) {
            return PinReport.Scheduler.UNKNOWN;
        }
        CarrierPool pool = watch.pool();
        return new PinReport.Scheduler(pool.parallelism(), pool.size(), pool.max(), watch.held(), pool.queued());
    }

    /** Where it is measured. */
    PinReport.Jvm jvm() {
        return jvm(installation, sensors);
    }

    /** Where it would be measured. */
    static PinReport.Jvm jvm(Installation installation, Sensors sensors) {
        String version = Measurements.class.getPackage().getImplementationVersion();
        return new PinReport.Jvm(
                version == null ? "?" : version,
                javaVersion(),
                installation.carriers(),
                installation.monitorsPin(),
                installation.attached(),
                sensors.failures());
    }

    /** What the system property {@code java.version} was, which the application may have changed. */
    private static String javaVersion() {
        StringBuilder text = new StringBuilder();
        for (int number : Runtime.version().version()) {
            text.append(text.isEmpty() ? "" : ".").append(number);
        }
        return Runtime.version().pre().map(pre -> text + "-" + pre).orElseGet(text::toString);
    }
}
