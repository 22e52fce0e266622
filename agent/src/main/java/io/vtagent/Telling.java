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
import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.record.Sensors;
import io.vtagent.relief.Relief;
import io.vtagent.report.HtmlReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.watch.Starvation;
import io.vtagent.watch.Watch;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Tells what was recorded: the line at the start, the endpoint, the report at exit. The endpoint comes up on the agent's
 * own thread, once the application runs.
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

    /** @param running whether the application's {@code main} runs already */
    void start(boolean running) {
        ExitReport.register(options.report(), this::lastReport);
        InetSocketAddress address =
                options.port().isPresent() ? freeAddress(options.port().getAsInt()) : null;
        PinReport.Jvm jvm = jvm();
        AgentLog.info(jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world() + inWords(installation.sensors())
                + (address == null ? "" : "; " + url(address)));
        Thread first = Thread.currentThread();
        Thread.ofPlatform()
                .name("vt-agent")
                .daemon()
                .inheritInheritableThreadLocals(false)
                .start(() -> {
                    Thread.currentThread().setContextClassLoader(Telling.class.getClassLoader());
                    if (installation.carriers()) {
                        ledger.warmUp();
                    }
                    if (!running) {
                        ApplicationStart.await(first);
                    }
                    if (watch != null) {
                        watch.start();
                    }
                    run(address);
                });
    }

    private void run(@Nullable InetSocketAddress address) {
        SiteMeters sites = new SiteMeters(ledger);
        if (address != null) {
            serve(address, sites);
        }
        while (true) {
            LockSupport.parkNanos(COLLECT_EVERY_NANOS);
            ledger.totals();
            sites.refresh();
        }
    }

    @SuppressWarnings("resource") // open until the JVM ends
    private void serve(InetSocketAddress address, SiteMeters sites) {
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
        pages.put("/healthz", accept -> new Page("text/plain; charset=utf-8", "ok\n"));
        pages.put("/", accept -> new Page("text/html; charset=utf-8", HtmlReport.render(report())));
        pages.put("/api/report", accept -> new Page("application/json", JsonReport.render(report())));
        try {
            new Endpoint(address, pages);
        } catch (IOException inUse) {
            cannotListen(address, inUse);
        }
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

    private static String inWords(Map<Sensor, String> sensors) {
        StringBuilder text = new StringBuilder();
        sensors.forEach((sensor, failure) -> {
            text.append(text.isEmpty() ? "; sensors " : ", ").append(sensor.label());
            if (!failure.isEmpty()) {
                text.append(" is down (").append(failure).append(")");
            }
        });
        return text.toString();
    }

    /** The endpoint's address if it is free now, so that the first line can say so; a free one for port 0. */
    private @Nullable InetSocketAddress freeAddress(int port) {
        InetSocketAddress wanted = new InetSocketAddress(options.bind(), port);
        try (ServerSocket socket = new ServerSocket()) {
            socket.bind(wanted);
            return new InetSocketAddress(options.bind(), socket.getLocalPort());
        } catch (IOException refused) {
            cannotListen(wanted, refused);
            return null;
        }
    }

    private static void cannotListen(InetSocketAddress address, IOException why) {
        AgentLog.error("cannot listen on " + address.getAddress().getHostAddress() + ":" + address.getPort() + " ("
                + why.getMessage() + "), expected a free port on an address of this machine; there is no endpoint");
    }

    private static String url(InetSocketAddress address) {
        String host = address.getAddress().isAnyLocalAddress()
                ? "127.0.0.1"
                : address.getAddress().getHostAddress();
        return "http://" + (host.indexOf(':') < 0 ? host : "[" + host + "]") + ":" + address.getPort() + "/metrics";
    }
}
