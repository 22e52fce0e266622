package io.vtagent.outlet;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.export.Content;
import io.vtagent.export.PrometheusExport;
import io.vtagent.export.Query;
import io.vtagent.metrics.ActivePinMeters;
import io.vtagent.metrics.AgentMeters;
import io.vtagent.metrics.DelayMeters;
import io.vtagent.metrics.HeldMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.metrics.ReliefMeters;
import io.vtagent.metrics.SchedulerMeters;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.HeldTime;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.List;

/** The meters, and {@code /metrics}, which is made when it is asked for first. */
final class Meters implements Outlet {
    private final Measurements measurements;
    private final AgentOptions options;
    private final SiteMeters sites;
    private final OnDemand<PrometheusExport> prometheus = new OnDemand<>(this::export);

    Meters(Measurements measurements, AgentOptions options) {
        this.measurements = measurements;
        this.options = options;
        sites = new SiteMeters(measurements.ledger());
    }

    /** What has ended was handed to the timers when the report was made. */
    @Override
    public void tell(PinReport report) {
        sites.refresh();
    }

    /** The meters in the format that {@code query} asks for. */
    Content scrape(Query query) {
        return prometheus.get().scrape(query.accept());
    }

    private PrometheusExport export() {
        Ledger ledger = measurements.ledger();
        List<MeterBinder> binders = new ArrayList<>();
        boolean monitorsPin = measurements.installation().monitorsPin();
        binders.add(new PinMeters(ledger, PinKey.expected(monitorsPin), options.histogram()));
        binders.add(sites);
        binders.add(new ActivePinMeters(measurements::active));
        binders.add(new HeldMeters(new HeldTime(ledger::totals, measurements::active)));
        AgentMeters agent = new AgentMeters(
                measurements.sensors(),
                measurements.installation().classesTransformed(),
                measurements.installation().classesFailed());
        binders.add(agent);
        if (measurements.watch() != null) {
            binders.add(new SchedulerMeters(ledger, measurements.watch()));
        }
        if (measurements.delay() != null) {
            binders.add(new DelayMeters(measurements.delay(), options.histogram()));
        }
        if (measurements.relief() != null) {
            binders.add(new ReliefMeters(measurements.relief()));
        }
        return new PrometheusExport(options.tags(), binders, () -> {
            measurements.collect();
            sites.refresh();
            agent.refresh();
        });
    }
}
