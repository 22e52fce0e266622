package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.ledger.HeldTime;
import io.vtagent.pin.PinKind;
import io.vtagent.usage.CarrierUsage;
import java.util.function.ToLongFunction;

/** Meters of where the carriers' time goes, what of it is lost, and how long threads wait. */
public final class CarrierTimeMeters implements AgentMeterBinder {
    static final String TIME = "vthread.carriers.time";
    static final String LOST = "vthread.lost";
    static final String WAITING = "vthread.waiting";
    static final String THROTTLED = "vthread.cpu.throttled";

    private static final double NANOS_PER_SECOND = 1e9;

    private final CarrierUsage usage;
    private final HeldTime held;

    /**
     * @param held the carrier time that pins have held, which has been refreshed before this is
     */
    public CarrierTimeMeters(CarrierUsage usage, HeldTime held) {
        this.usage = usage;
        this.held = held;
    }

    @Override
    public void refresh() {
        long heldNanos = 0;
        for (PinKind kind : PinKind.values()) {
            heldNanos += held.nanos(kind);
        }
        CarrierUsage.Totals unused = usage.count(heldNanos);
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        refresh();
        time("held", CarrierUsage.Totals::heldNanos, registry);
        time("running", CarrierUsage.Totals::runningNanos, registry);
        time("runnable", CarrierUsage.Totals::runnableNanos, registry);
        time("idle", CarrierUsage.Totals::idleNanos, registry);
        counter(LOST, CarrierUsage.Totals::lostNanos)
                .description("Carrier time that was held and not compensated")
                .register(registry);
        waiting("held", CarrierUsage.Totals::waitedHeldNanos, registry);
        waiting("busy", CarrierUsage.Totals::waitedBusyNanos, registry);
        counter(THROTTLED, CarrierUsage.Totals::throttledNanos)
                .description("How long a CPU quota stopped the process, summed over the CPUs")
                .register(registry);
    }

    private void time(
            String state, ToLongFunction<CarrierUsage.Totals> nanos, MeterRegistry registry) {
        counter(TIME, nanos)
                .description("Time of all carriers, by state")
                .tag("state", state)
                .register(registry);
    }

    private void waiting(
            String cause, ToLongFunction<CarrierUsage.Totals> nanos, MeterRegistry registry) {
        counter(WAITING, nanos)
                .description(
                        "How long ready virtual threads had no carrier, summed over the threads")
                .tag("cause", cause)
                .register(registry);
    }

    private FunctionCounter.Builder<CarrierUsage> counter(
            String name, ToLongFunction<CarrierUsage.Totals> nanos) {
        return FunctionCounter.builder(
                        name, usage, of -> nanos.applyAsLong(of.newest()) / NANOS_PER_SECOND)
                .baseUnit("seconds");
    }
}
