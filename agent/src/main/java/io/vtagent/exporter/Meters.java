package io.vtagent.exporter;

import io.vtagent.diagnosis.ThreadCounts;
import io.vtagent.exporter.http.Content;
import io.vtagent.exporter.http.PrometheusExport;
import io.vtagent.exporter.http.Query;
import io.vtagent.ledger.Ledger;
import io.vtagent.metrics.ActivePinMeters;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.metrics.AgentMeters;
import io.vtagent.metrics.AllMeters;
import io.vtagent.metrics.BusyMeters;
import io.vtagent.metrics.CarrierTimeMeters;
import io.vtagent.metrics.DelayMeters;
import io.vtagent.metrics.HeldMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.metrics.ReliefMeters;
import io.vtagent.metrics.SchedulerMeters;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.metrics.ThreadMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.pin.PinKey;
import io.vtagent.usage.BusySites;
import java.util.ArrayList;
import java.util.List;

/** The agent's meters, and the lazily created content of {@code /metrics}. */
record Meters(
        MeasurementSource measurements, AgentOptions options, Lazy<PrometheusExport> prometheus) {
    Meters(MeasurementSource measurements, AgentOptions options) {
        this(
                measurements,
                options,
                new Lazy<>(
                        () -> {
                            AllMeters meters = all(measurements, options, true);
                            return meters.orClosed(
                                    () ->
                                            new PrometheusExport(
                                                    options.tags(),
                                                    meters,
                                                    () -> {
                                                        measurements.collect();
                                                        meters.refresh();
                                                    }));
                        }));
    }

    /** Returns the meters in the format that {@code query} asks for. */
    Content scrape(Query query) {
        return prometheus.get().scrape(query.accept());
    }

    /**
     * Creates all meters for one registry.
     *
     * @param sites whether to include the meters by site
     */
    static AllMeters all(MeasurementSource measurements, AgentOptions options, boolean sites) {
        Ledger ledger = measurements.ledger();
        boolean monitorsPin = measurements.installation().monitorsPin();
        List<AgentMeterBinder> binders = new ArrayList<>();
        binders.add(new PinMeters(ledger, PinKey.expected(monitorsPin), options.histogram()));
        if (sites) {
            binders.add(new SiteMeters(ledger));
        }
        binders.add(new ActivePinMeters(measurements::active));
        binders.add(new HeldMeters(measurements.held()));
        binders.add(
                new AgentMeters(
                        measurements.sensors(),
                        measurements.installation().classesTransformed(),
                        measurements.installation().classesFailed()));
        if (measurements.watch() != null) {
            binders.add(new SchedulerMeters(ledger, measurements.watch()));
            binders.add(
                    new ThreadMeters(
                            new ThreadCounts(
                                    measurements.watch().pool(), measurements.watch().threads())));
            binders.add(new CarrierTimeMeters(measurements.watch().usage(), measurements.held()));
        }
        BusySites busy = measurements.watch() == null ? null : measurements.watch().busy();
        if (sites && busy != null) {
            binders.add(new BusyMeters(busy));
        }
        if (measurements.delay() != null) {
            binders.add(new DelayMeters(measurements.delay(), options.histogram()));
        }
        binders.add(new ReliefMeters(measurements.relief()));
        return new AllMeters(List.copyOf(binders));
    }
}
