package io.vtagent.it.workload;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Metrics;
import io.micrometer.core.instrument.config.MeterFilter;
import io.micrometer.core.instrument.config.MeterFilterReply;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/**
 * {@code THROWING DENIED}: an application that serves its own metrics, on virtual threads. At
 * {@code /0} are those of the registry that it had from the beginning, which refuses the meters of
 * these two names; {@code /clear} empties the global registry, and {@code /add} adds one more
 * registry, whose metrics are at {@code /1}.
 */
public final class MicrometerUser {
    private static final List<PrometheusMeterRegistry> REGISTRIES = new CopyOnWriteArrayList<>();
    private static final int PARKS = 10;
    private static final long MILLIS = 20;

    private MicrometerUser() {}

    /** Pins on every JDK. */
    private static final class First {
        static {
            park();
        }

        static void initialize() {}
    }

    private static final class Second {
        static {
            park();
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws IOException, InterruptedException {
        add(new Refusing(arguments[0], arguments[1]));
        pin();
        HttpServer server =
                HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
        server.createContext("/", MicrometerUser::answer);
        server.start();
        WorkloadConsole.fact("port", server.getAddress().getPort());
        WorkloadConsole.done();
        System.exit(0);
    }

    private record Refusing(String throwing, String denied) implements MeterFilter {
        @Override
        public MeterFilterReply accept(Meter.Id id) {
            if (id.getName().equals(throwing)) {
                throw new IllegalStateException("not here");
            }
            return id.getName().equals(denied) ? MeterFilterReply.DENY : MeterFilterReply.NEUTRAL;
        }
    }

    private static void add(MeterFilter filter) {
        PrometheusMeterRegistry registry = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        registry.config().meterFilter(filter);
        REGISTRIES.add(registry);
        Metrics.addRegistry(registry);
    }

    private static void pin() throws InterruptedException {
        Object[] monitors = new Object[PARKS];
        for (int i = 0; i < PARKS; i++) {
            monitors[i] = new Object();
        }
        Tasks.run(
                PARKS,
                number -> {
                    synchronized (monitors[number]) {
                        Thread.sleep(MILLIS);
                    }
                });
        Tasks.run(1, number -> First.initialize());
        Tasks.run(1, number -> Second.initialize());
    }

    private static void answer(HttpExchange exchange) throws IOException {
        String text;
        switch (exchange.getRequestURI().getPath()) {
            case "/add" -> {
                add(MeterFilter.accept());
                text = "added";
            }
            case "/clear" -> {
                Metrics.globalRegistry.clear();
                text = "cleared";
            }
            case "/1" -> text = REGISTRIES.get(1).scrape();
            default -> text = REGISTRIES.get(0).scrape();
        }
        byte[] body = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(200, body.length);
        try (OutputStream out = exchange.getResponseBody()) {
            out.write(body);
        }
    }

    private static void park() {
        try {
            Thread.sleep(MILLIS);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }
}
