package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.usage.BusySite;
import io.vtagent.usage.BusySites;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the code that computes on carriers for long, by site. A site has a meter from the first
 * {@link #refresh} after it was found. Thread-safe.
 */
public final class BusyMeters implements AgentMeterBinder {
    static final String SITE = "vthread.busy.site";

    private final BusySites sites;
    private final Set<BusySite> bound = Collections.newSetFromMap(new IdentityHashMap<>());
    private @Nullable MeterRegistry registry;

    public BusyMeters(BusySites sites) {
        this.sites = sites;
    }

    @Override
    public synchronized void bindTo(MeterRegistry newRegistry) {
        registry = newRegistry;
        refresh();
    }

    /** Adds the meters of new sites. If that fails, the next refresh retries. */
    @Override
    public synchronized void refresh() {
        MeterRegistry to = registry;
        if (to == null) {
            return;
        }
        for (BusySite site : sites.sites()) {
            if (!bound.contains(site)) {
                FunctionTimer.builder(
                                SITE, site, BusySite::count, BusySite::nanos, TimeUnit.NANOSECONDS)
                        .description(
                                "Carrier time of virtual threads that computed without"
                                        + " unmounting, by code; estimated")
                        .tag("site", site.site())
                        .tag("caller", site.caller())
                        .register(to);
                bound.add(site);
            }
        }
    }
}
