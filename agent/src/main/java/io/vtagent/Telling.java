package io.vtagent;

import io.micrometer.core.instrument.binder.MeterBinder;
import io.vtagent.export.Endpoint;
import io.vtagent.export.Endpoint.Page;
import io.vtagent.export.PrometheusExport;
import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.metrics.ActivePinMeters;
import io.vtagent.metrics.AgentMeters;
import io.vtagent.metrics.PinMeters;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKey;
import io.vtagent.report.HtmlReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.util.HashMap;
import java.util.LinkedHashMap;
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
    private final Installation installation;
    private final PinReport.Jvm jvm;
    private final long beganNanos;

    Telling(AgentOptions options, Ledger ledger, Installation installation, PinReport.Jvm jvm, long beganNanos) {
        this.options = options;
        this.ledger = ledger;
        this.installation = installation;
        this.jvm = jvm;
        this.beganNanos = beganNanos;
    }

    /** @param running whether the application's {@code main} runs already */
    void start(boolean running) {
        ExitReport.register(options.report(), this::report);
        InetSocketAddress address =
                options.port().isPresent() ? freeAddress(options.port().getAsInt()) : null;
        AgentLog.info(jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world() + sensors()
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
        Map<String, Boolean> sensors = new LinkedHashMap<>();
        jvm.sensors().forEach((sensor, failure) -> sensors.put(sensor, failure.isEmpty()));
        List<MeterBinder> binders = List.of(
                new PinMeters(ledger, PinKey.expected(jvm.monitorsPin()), options.histogram()),
                sites,
                new ActivePinMeters(ledger),
                new AgentMeters(sensors, installation.classesTransformed(), installation.classesFailed()));
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

    private PinReport report() {
        return PinReport.of(ledger, jvm, System.nanoTime() - beganNanos);
    }

    private String sensors() {
        StringBuilder text = new StringBuilder();
        jvm.sensors().forEach((sensor, failure) -> {
            text.append(text.isEmpty() ? "; sensors " : ", ").append(sensor);
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
