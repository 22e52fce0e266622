package io.vtagent;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.export.Endpoint.Page;
import io.vtagent.export.PrometheusExport;
import io.vtagent.instrument.Installation;
import io.vtagent.metrics.ActivePinMeters;
import io.vtagent.metrics.AgentMeters;
import io.vtagent.metrics.DelayMeters;
import io.vtagent.metrics.HeldMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.metrics.ReliefMeters;
import io.vtagent.metrics.SchedulerMeters;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.HeldTime;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import io.vtagent.record.Sensors;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.report.HtmlReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.PinnedStack;
import io.vtagent.watch.DelayProbe;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * What there is to tell, and the pages and the report that tell it.
 *
 * @param watch null where there are no carriers to watch
 * @param delay null where there is no such probe
 * @param relief null if it is off
 */
record Measurements(
        Ledger ledger,
        @Nullable Watch watch,
        @Nullable DelayProbe delay,
        @Nullable ReliefFigures relief,
        Installation installation,
        Sensors sensors,
        long beganNanos) {

    /** The pages of the endpoint by path. {@code sites} is refreshed when they are asked for. */
    Map<String, Function<@Nullable String, Page>> pages(SiteMeters sites, AgentOptions options) {
        OnDemand<PrometheusExport> prometheus = new OnDemand<>(() -> export(sites, options));
        Map<String, Function<@Nullable String, Page>> pages = new HashMap<>();
        pages.put("/metrics", accept -> prometheus.get().scrape(accept));
        pages.put("/", accept -> new Page("text/html; charset=utf-8", HtmlReport.render(report())));
        pages.put("/api/report", accept -> new Page("application/json", JsonReport.render(report())));
        return pages;
    }

    private PrometheusExport export(SiteMeters sites, AgentOptions options) {
        List<MeterBinder> binders = new ArrayList<>();
        binders.add(new PinMeters(ledger, PinKey.expected(installation.monitorsPin()), options.histogram()));
        binders.add(sites);
        binders.add(new ActivePinMeters(this::active));
        binders.add(new HeldMeters(new HeldTime(ledger::totals, this::active)));
        AgentMeters agent = new AgentMeters(sensors, installation.classesTransformed(), installation.classesFailed());
        binders.add(agent);
        if (watch != null) {
            binders.add(new SchedulerMeters(ledger, watch));
        }
        if (delay != null) {
            binders.add(new DelayMeters(delay, options.histogram()));
        }
        if (relief != null) {
            binders.add(new ReliefMeters(relief));
        }
        return new PrometheusExport(options.tags(), binders, () -> {
            collect(sites);
            agent.refresh();
        });
    }

    /** Hands what is new to the meters. */
    void collect(SiteMeters sites) {
        ledger.totals();
        if (delay != null) {
            delay.delays().totals();
        }
        sites.refresh();
    }

    /**
     * Makes each page once, of pins that are made up. A call that is linked for the first time while the heap is full fails for good
     * ({@code BootstrapMethodError}), and the page with it.
     */
    void rehearse(AgentOptions options) {
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
            noProbe = new DelayProbe(watch.pool(), 1, Buckets.FINE);
            noProbe.delays().add(1);
        }
        Measurements rehearsed = new Measurements(madeUp, watch, noProbe, relief, installation, sensors, beganNanos);
        for (Function<@Nullable String, Page> page :
                rehearsed.pages(new SiteMeters(madeUp), options).values()) {
            Page unused = page.apply(null);
        }
    }

    private List<ActivePin> active() {
        return watch == null ? ledger.active() : watch.active();
    }

    PinReport report() {
        if (watch != null && !watch.pool().isUsed() && ledger.isUntouched()) {
            return PinReport.ofNothing(delay != null, relief != null, jvm(), System.nanoTime() - beganNanos);
        }
        PinReport.Starved starved = PinReport.Starved.NEVER;
        if (watch != null) {
            Starvation starvation = watch.starvation();
            boolean now = starvation.current() != null;
            starved = new PinReport.Starved(starvation.periods(), starvation.nanos(), starvation.last(), now);
        }
        PinReport.Relieved relieved = relief == null
                ? PinReport.Relieved.OFF
                : new PinReport.Relieved(true, relief.added(), relief.pins(), relief.nanos());
        PinReport.Delayed delayed = delay == null
                ? PinReport.Delayed.OFF
                : PinReport.Delayed.of(delay.delays().totals(), delay.currentNanos());
        return PinReport.of(ledger, this::active, starved, delayed, relieved, jvm(), System.nanoTime() - beganNanos);
    }

    /** Where it is measured. */
    PinReport.Jvm jvm() {
        String version = Measurements.class.getPackage().getImplementationVersion();
        return new PinReport.Jvm(
                version == null ? "?" : version,
                System.getProperty("java.version"),
                installation.carriers(),
                installation.monitorsPin(),
                sensors.failures());
    }
}
