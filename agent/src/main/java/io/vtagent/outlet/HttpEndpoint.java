package io.vtagent.outlet;

import io.vtagent.export.Content;
import io.vtagent.export.Endpoint;
import io.vtagent.export.Query;
import io.vtagent.export.Route;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.Token;
import io.vtagent.vm.AfterShutdownHooks;
import io.vtagent.vm.AgentProperties;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The endpoint: has its port before the first line names it, and serves on threads of the agent's own when the application has begun. */
final class HttpEndpoint implements Outlet {
    private final AgentOptions options;
    private final Supplier<Routes> routes;
    private @Nullable ServerSocket listener;
    private @Nullable Endpoint endpoint;

    /** @param routes asked when the application has begun */
    HttpEndpoint(AgentOptions options, Supplier<Routes> routes) {
        this.options = options;
        this.routes = routes;
    }

    @Override
    public void open() {
        ServerSocket opened = Listening.open(options);
        if (opened != null) {
            closeAtTheEnd(opened);
        }
        listener = opened;
    }

    @Override
    public @Nullable String failure() {
        return options.port().isPresent() && listener == null ? Listening.refusal(options) : null;
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
            AgentLog.debug("what would close the endpoint when the JVM ends stays behind", otherwise);
        }
        if (endpoint == null) {
            close(listener);
        } else {
            endpoint.close();
        }
    }

    /** For the first line. */
    String inWords() {
        return listener == null ? "" : "; " + Listening.inWords(listener, options);
    }

    /** Says what an address that others can reach exposes. */
    void warn() {
        if (listener != null) {
            Listening.warn(listener, options);
        }
    }

    @Override
    public void begin() {
        tellOtherProcesses();
        if (listener != null) {
            Token token = options.token();
            endpoint = new Endpoint(
                    listener, token == null ? null : token.value(), routes.get().byPath());
        }
    }

    /** So that a command line finds the endpoint by the process id. */
    private void tellOtherProcesses() {
        try {
            AgentProperties.put(AgentProperties.ENDPOINT, listener == null ? "off" : Listening.url(listener));
        } catch (RuntimeException | LinkageError otherwise) {
            AgentLog.debug("the endpoint cannot be found by the process id", otherwise);
        }
    }

    @Override
    public void rehearse(Measurements madeUp) throws IOException {
        if (endpoint == null) {
            return;
        }
        endpoint.rehearse();
        for (Route route : routes.get().of(madeUp, options).byPath().values()) {
            if (!route.open()) {
                Content unused = route.content().apply(Query.NONE);
            }
        }
    }

    /**
     * Has the endpoint closed when all else has ended: a JVM waits at its end for up to 0.3 s for threads in native code (HotSpot's {@code
     * VM_Exit::wait_for_threads_in_native_to_block}), as one is that waits for a connection.
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
            // as it should
        }
    }
}
