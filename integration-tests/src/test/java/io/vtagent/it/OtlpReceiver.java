package io.vtagent.it;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.trace.v1.Span;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;
import java.util.zip.GZIPInputStream;
import javax.net.ssl.SSLContext;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** A receiver of metrics and traces that parses what arrives. */
final class OtlpReceiver implements AutoCloseable {
    private static final Duration LIMIT = Duration.ofSeconds(90);

    private static final String TRACES = "/v1/traces";

    private final HttpServer server;
    private final String scope;
    private final List<Span> spans = new CopyOnWriteArrayList<>();
    private final List<Received> received = new CopyOnWriteArrayList<>();
    private final List<Throwable> failures = new CopyOnWriteArrayList<>();
    private volatile int status = 200;

    /** A request. */
    record Received(OtlpMetrics metrics, String target, Headers headers) {}

    /** The headers of a request. */
    interface Headers {
        @Nullable String get(String name);
    }

    private OtlpReceiver(HttpServer server, String scope) {
        this.server = server;
        this.scope = scope;
        server.createContext("/", this::receive);
        server.start();
    }

    static OtlpReceiver open() throws IOException {
        return open("");
    }

    /** Takes only the metrics of {@code scope}, beside which there are others. */
    static OtlpReceiver open(String scope) throws IOException {
        return new OtlpReceiver(HttpServer.create(anyPort(), 0), scope);
    }

    static OtlpReceiver open(SSLContext tls) throws IOException {
        HttpsServer server = HttpsServer.create(anyPort(), 0);
        server.setHttpsConfigurator(new HttpsConfigurator(tls));
        return new OtlpReceiver(server, "");
    }

    private static InetSocketAddress anyPort() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    String address() {
        return "localhost:" + server.getAddress().getPort();
    }

    /** Sets what is answered from now on. */
    void answer(int newStatus) {
        status = newStatus;
    }

    private void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            boolean gzip = "gzip".equals(exchange.getRequestHeaders().getFirst("Content-Encoding"));
            try (InputStream body =
                    gzip
                            ? new GZIPInputStream(exchange.getRequestBody())
                            : exchange.getRequestBody()) {
                if (exchange.getRequestURI().getPath().equals(TRACES)) {
                    addSpans(ExportTraceServiceRequest.parseFrom(body));
                } else {
                    received.add(
                            new Received(
                                    metrics(ExportMetricsServiceRequest.parseFrom(body)),
                                    exchange.getRequestMethod() + " " + exchange.getRequestURI(),
                                    exchange.getRequestHeaders()::getFirst));
                }
            } catch (RuntimeException | IOException nonsense) {
                failures.add(nonsense);
            }
            exchange.getResponseHeaders().set("Content-Type", "application/x-protobuf");
            exchange.sendResponseHeaders(status, -1);
        }
    }

    private OtlpMetrics metrics(ExportMetricsServiceRequest request) {
        return scope.isEmpty() ? OtlpMetrics.of(request) : OtlpMetrics.of(request, scope);
    }

    private void addSpans(ExportTraceServiceRequest request) {
        request.getResourceSpansList().stream()
                .flatMap(ofResource -> ofResource.getScopeSpansList().stream())
                .forEach(ofScope -> spans.addAll(ofScope.getSpansList()));
    }

    /** The spans named {@code name} so far. */
    List<Span> spans(String name) {
        return spans.stream().filter(span -> span.getName().equals(name)).toList();
    }

    List<Received> received() {
        if (!failures.isEmpty()) {
            throw new AssertionError("what arrived cannot be parsed", failures.getFirst());
        }
        return received;
    }

    Received last() {
        return received().getLast();
    }

    /** The first request that {@code wanted} accepts, now or later. */
    Received await(Predicate<Received> wanted) {
        Awaitility.await("a request as expected")
                .atMost(LIMIT)
                .until(() -> received().stream().anyMatch(wanted));
        return received.stream().filter(wanted).findFirst().orElseThrow();
    }

    /** Waits for another {@code count} requests. */
    void awaitMore(int count) {
        int before = received.size();
        Awaitility.await("requests").atMost(LIMIT).until(() -> received().size() >= before + count);
    }

    @Override
    public void close() {
        server.stop(0);
    }
}
