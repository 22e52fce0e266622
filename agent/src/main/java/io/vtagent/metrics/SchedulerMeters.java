package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.diagnosis.Starvation;
import io.vtagent.ledger.Ledger;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import java.util.concurrent.TimeUnit;

/** Meters of the scheduler of virtual threads and of its carriers. */
public final class SchedulerMeters implements AgentMeterBinder {
    static final String CARRIERS = "vthread.carriers";
    static final String QUEUED = "vthread.scheduler.queued";
    static final String STARVED = "vthread.carriers.starved";
    static final String SUBMIT_FAILED = "vthread.submit.failed";

    private final Ledger ledger;
    private final CarrierMonitoring watch;

    public SchedulerMeters(Ledger ledger, CarrierMonitoring watch) {
        this.ledger = ledger;
        this.watch = watch;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        CarrierPool pool = watch.pool();
        gauge(
                registry,
                "parallelism",
                "Carriers that the scheduler aims to keep running",
                pool::parallelism);
        gauge(registry, "size", "Carriers that exist", pool::size);
        gauge(registry, "max", "Carriers that may exist", pool::max);
        gauge(registry, "held", "Carriers that are held, for whatever reason", watch::held);
        Gauge.builder(QUEUED, pool, CarrierPool::queued)
                .description("Virtual threads that are ready to run and have no carrier")
                .strongReference(true)
                .register(registry);
        FunctionTimer.builder(
                        STARVED,
                        watch.starvation(),
                        Starvation::periods,
                        Starvation::nanos,
                        TimeUnit.NANOSECONDS)
                .description(
                        "Periods in which every carrier was held while virtual threads waited for"
                                + " one")
                .register(registry);
        FunctionCounter.builder(SUBMIT_FAILED, ledger, Ledger::submitFailures)
                .description("Virtual threads that the scheduler refused")
                .register(registry);
    }

    private static void gauge(
            MeterRegistry registry,
            String name,
            String description,
            java.util.function.Supplier<Number> value) {
        Gauge.builder(CARRIERS + "." + name, value).description(description).register(registry);
    }
}
