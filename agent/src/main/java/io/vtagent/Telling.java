package io.vtagent;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.export.Endpoint;
import io.vtagent.export.Endpoint.Page;
import io.vtagent.export.PrometheusExport;
import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Sensor;
import io.vtagent.log.AgentLog;
import io.vtagent.metrics.ActivePinMeters;
import io.vtagent.metrics.AgentMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.metrics.ReliefMeters;
import io.vtagent.metrics.SchedulerMeters;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.Token;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.Sensors;
import io.vtagent.relief.Relief;
import io.vtagent.report.HtmlReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.thread.AgentThread;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells what was recorded: the line at the start, the endpoint, the report at exit. The endpoint comes up on the agent's own
 * thread, so that {@code main} begins at once.
 */
final class Telling {
    private static final long COLLECT_EVERY_NANOS = 1_000_000_000;

    private final AgentOptions options;
    private final Ledger ledger;
    private final @Nullable Watch watch;
    private final @Nullable Relief relief;
    private final Installation installation;
    private final Sensors sensors;
    private final long beganNanos;

    /**
     * @param watch null where there are no carriers to watch
     * @param relief null if it is off
     */
    Telling(
            AgentOptions options,
            Ledger ledger,
            @Nullable Watch watch,
            @Nullable Relief relief,
            Installation installation,
            Sensors sensors,
            long beganNanos) {
        this.options = options;
        this.ledger = ledger;
        this.watch = watch;
        this.relief = relief;
        this.installation = installation;
        this.sensors = sensors;
        this.beganNanos = beganNanos;
    }

    void start() {
        ExitReport.register(options.report(), this::lastReport);
        ServerSocket listener = Listening.open(options);
        PinReport.Jvm jvm = jvm();
        AgentLog.info(jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world()
                + (installation.carriers() ? "; " + inWords() : "")
                + (listener == null ? "" : "; " + Listening.inWords(listener, options)));
        if (listener != null) {
            Listening.warn(listener, options);
        }
        boolean toBeProved = isToBeProved();
        AgentThread.start("vt-agent", () -> {
            startWatch();
            run(listener, toBeProved);
        });
    }

    private void startWatch() {
        try {
            if (watch != null) {
                watch.start();
            }
        } catch (Throwable noThread) {
            AgentLog.error("cannot watch the carriers: " + noThread);
        }
    }

    /** @param toBeProved whether the first line had to say so of a sensor */
    private void run(@Nullable ServerSocket listener, boolean toBeProved) {
        SiteMeters sites = new SiteMeters(ledger);
        boolean toBeServed = listener != null;
        boolean sayProved = toBeProved;
        while (true) {
            try {
                if (listener != null && toBeServed) {
                    serve(listener, sites);
                    toBeServed = false;
                }
                AgentThread.pause(COLLECT_EVERY_NANOS);
                ledger.totals();
                sites.refresh();
                if (sayProved && !isToBeProved()) {
                    sayProved = false;
                    AgentLog.info("all sensors have been tested now; " + inWords());
                }
            } catch (Throwable passing) {
                AgentThread.pause(COLLECT_EVERY_NANOS);
                AgentLog.debug("cannot collect", passing);
            }
        }
    }

    @SuppressWarnings("resource") // open until the JVM ends
    private void serve(ServerSocket listener, SiteMeters sites) {
        List<MeterBinder> binders = new ArrayList<>();
        binders.add(new PinMeters(ledger, PinKey.expected(installation.monitorsPin()), options.histogram()));
        binders.add(sites);
        binders.add(new ActivePinMeters(this::active));
        binders.add(new AgentMeters(sensors, installation.classesTransformed(), installation.classesFailed()));
        if (watch != null) {
            binders.add(new SchedulerMeters(ledger, watch));
        }
        if (relief != null) {
            binders.add(new ReliefMeters(relief));
        }
        PrometheusExport prometheus = new PrometheusExport(options.tags(), binders, () -> {
            ledger.totals();
            sites.refresh();
        });
        Map<String, Function<@Nullable String, Page>> pages = new HashMap<>();
        pages.put("/metrics", prometheus::scrape);
        pages.put("/", accept -> new Page("text/html; charset=utf-8", HtmlReport.render(report())));
        pages.put("/api/report", accept -> new Page("application/json", JsonReport.render(report())));
        Token token = options.token();
        new Endpoint(listener, token == null ? null : token.value(), pages);
    }

    private List<ActivePin> active() {
        return watch == null ? ledger.active() : watch.active();
    }

    private PinReport report() {
        PinReport.Starved starved = PinReport.Starved.NEVER;
        if (watch != null) {
            Starvation starvation = watch.starvation();
            boolean now = starvation.current() != null;
            starved = new PinReport.Starved(starvation.periods(), starvation.nanos(), starvation.last(), now);
        }
        PinReport.Relieved relieved = relief == null
                ? PinReport.Relieved.OFF
                : new PinReport.Relieved(true, relief.added(), relief.pins(), relief.nanos());
        return PinReport.of(ledger, active(), starved, relieved, jvm(), System.nanoTime() - beganNanos);
    }

    /** The report when the JVM ends, with all that was told until then. */
    private PinReport lastReport() {
        if (watch != null) {
            watch.awaitShutdown();
        }
        return report();
    }

    private PinReport.Jvm jvm() {
        String version = Telling.class.getPackage().getImplementationVersion();
        return new PinReport.Jvm(
                version == null ? "?" : version,
                System.getProperty("java.version"),
                installation.carriers(),
                installation.monitorsPin(),
                sensors.failures());
    }

    private String inWords() {
        StringBuilder text = new StringBuilder();
        for (Sensor sensor : installation.sensors().keySet()) {
            text.append(text.isEmpty() ? "sensors " : ", ").append(sensors.inWords(sensor.label()));
        }
        return text.toString();
    }

    private boolean isToBeProved() {
        return installation.sensors().keySet().stream().anyMatch(sensor -> sensors.isToBeProved(sensor.label()));
    }
}
