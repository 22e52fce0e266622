package io.vtagent.exporter;

import io.vtagent.exporter.http.Content;
import io.vtagent.exporter.http.Endpoint;
import io.vtagent.exporter.http.Query;
import io.vtagent.exporter.http.Route;
import io.vtagent.jvm.AfterShutdownHooks;
import io.vtagent.jvm.AgentProperties;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.Token;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Serves the HTTP endpoint. Binds its port before the startup line names it, and serves on the
 * agent's own threads once the application has begun.
 */
final class HttpExporter implements Exporter {
    private final AgentOptions options;
    private final Supplier<Routes> routes;
    private @Nullable ServerSocket listener;
    private @Nullable Endpoint endpoint;

    /**
     * @param routes called when the application has begun
     */
    HttpExporter(AgentOptions options, Supplier<Routes> routes) {
        this.options = options;
        this.routes = routes;
    }

    @Override
    public void open() {
        ServerSocket opened = EndpointSocket.open(options);
        if (opened != null) {
            closeAtTheEnd(opened);
        }
        listener = opened;
    }

    @Override
    public @Nullable String failure() {
        return options.port().isPresent() && listener == null
                ? EndpointSocket.refusal(options)
                : null;
    }

    @Override
    public void end() throws IOException {
        AgentProperties.remove(AgentProperties.ENDPOINT);
        if (listener == null) {
            return;
        }
        try {
            AfterShutdownHooks.forget();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError otherwise) {
            AgentLog.debug("the shutdown hook of the endpoint cannot be removed", otherwise);
        }
        if (endpoint == null) {
            close(listener);
        } else {
            endpoint.close();
        }
    }

    /** Returns the endpoint's part of the startup line. */
    String inWords() {
        return listener == null ? "" : "; " + EndpointSocket.inWords(listener, options);
    }

    /** Logs what the endpoint exposes if it listens on an address that other machines can reach. */
    void warn() {
        if (listener != null) {
            EndpointSocket.warn(listener, options);
        }
    }

    @Override
    public void begin() {
        announceToOtherProcesses();
        if (listener != null) {
            Token token = options.token();
            endpoint =
                    new Endpoint(
                            listener, token == null ? null : token.value(), routes.get().byPath());
        }
    }

    /**
     * Publishes the URL as an agent property, so that the command line finds the endpoint by the
     * process id.
     */
    private void announceToOtherProcesses() {
        try {
            AgentProperties.put(
                    AgentProperties.ENDPOINT,
                    listener == null ? "off" : EndpointSocket.url(listener));
        } catch (RuntimeException | LinkageError otherwise) {
            AgentLog.debug("the endpoint cannot be found by the process id", otherwise);
        }
    }

    @Override
    public void warmUp(MeasurementSource synthetic) throws IOException {
        if (endpoint == null) {
            return;
        }
        endpoint.warmUp();
        for (Route route : routes.get().of(synthetic, options).byPath().values()) {
            if (!route.open()) {
                Content unused = route.content().apply(Query.NONE);
            }
        }
    }

    /**
     * Closes the endpoint after all other shutdown work. At its end a JVM waits up to 0.3 s for
     * threads in native code (HotSpot's {@code VM_Exit::wait_for_threads_in_native_to_block}), and
     * a thread that waits for a connection is one of them.
     */
    private static void closeAtTheEnd(ServerSocket listener) {
        try {
            AfterShutdownHooks.run(() -> close(listener));
        } catch (RuntimeException | LinkageError | InternalError otherwise) {
            AgentLog.debug("the JVM will take 0.3 s longer to end", otherwise);
        }
    }

    private static void close(ServerSocket listener) {
        try {
            listener.close();
            AgentLog.debug("the endpoint is closed");
        } catch (IOException closed) {
            // expected
        }
    }
}
