package io.vtagent.metrics;

import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.MeterRegistry;
import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.DurationTotals;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Meters of the pins by site. A site has a meter from the first {@link #refresh} after its first
 * pin; a site that only the sampler has found, after enough samples.
 */
public final class SiteMeters implements AgentMeterBinder {
    static final String SITE = "vthread.pinned.site";

    private final Ledger ledger;
    private final Set<PinSite> bound = new HashSet<>();
    private @Nullable MeterRegistry registry;

    public SiteMeters(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public synchronized void bindTo(MeterRegistry newRegistry) {
        registry = newRegistry;
        refresh();
    }

    /** Adds the meters of new sites. */
    @Override
    public synchronized void refresh() {
        MeterRegistry to = registry;
        if (to == null) {
            return;
        }
        for (Site site : ledger.sites()) {
            if (!site.isRare()) {
                bind(to, site.key(), site, Site::count, Site::nanos);
            }
        }
        EndedPins totals = ledger.totals();
        for (PinKind kind : PinKind.values()) {
            PinSite key = PinSite.unattributed(kind);
            if (totals.unattributed(kind).count() > 0 && !totals.isUnattributedRare(kind)) {
                bind(
                        to,
                        key,
                        ledger,
                        from -> unattributed(from, kind).count(),
                        from -> unattributed(from, kind).nanos());
            }
        }
    }

    private static DurationTotals unattributed(Ledger ledger, PinKind kind) {
        return ledger.totals().unattributed(kind);
    }

    /**
     * Binds a meter for {@code key} unless it is {@link #bound}. If that fails, for example for
     * lack of memory, the next refresh retries.
     */
    private <T> void bind(
            MeterRegistry to,
            PinSite key,
            T source,
            ToLongFunction<T> count,
            ToDoubleFunction<T> nanos) {
        if (bound.contains(key)) {
            return;
        }
        FunctionTimer.builder(SITE, source, count, nanos, TimeUnit.NANOSECONDS)
                .description("Held carrier time of ended pins, by site")
                .tag("site", key.site())
                .tag("caller", key.caller())
                .tag("operation", key.operation())
                .tag("kind", key.kind().label())
                .register(to);
        bound.add(key);
    }
}
