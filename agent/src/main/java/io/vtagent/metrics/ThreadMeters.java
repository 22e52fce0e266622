package io.vtagent.metrics;

import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.diagnosis.ThreadCounts;
import java.util.function.ToLongFunction;

/** Meters of the number of virtual threads that are alive. */
public final class ThreadMeters implements AgentMeterBinder {
    static final String THREADS = "vthread.threads";

    private final ThreadCounts counts;

    public ThreadMeters(ThreadCounts counts) {
        this.counts = counts;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        gauge(registry, "mounted", ThreadCounts::mounted);
        gauge(registry, "queued", ThreadCounts::queued);
        gauge(registry, "other", ThreadCounts::others);
    }

    private void gauge(MeterRegistry registry, String state, ToLongFunction<ThreadCounts> count) {
        Gauge.builder(THREADS, counts, read -> valueOf(count.applyAsLong(read)))
                .description(
                        "Virtual threads that are alive: on a carrier (mounted), ready to run"
                                + " without one (queued), or waiting (other)")
                .tag("state", state)
                .strongReference(true)
                .register(registry);
    }

    /** Returns NaN for a number that is not known. */
    private static double valueOf(long count) {
        return count < 0 ? Double.NaN : count;
    }
}
