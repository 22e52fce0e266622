package io.vtagent.demo.web.servers;

import static org.springframework.web.reactive.function.server.RequestPredicates.GET;
import static org.springframework.web.reactive.function.server.RouterFunctions.route;
import static org.springframework.web.reactive.function.server.ServerResponse.ok;

import io.netty.channel.ChannelOption;
import io.vtagent.demo.web.WebServer;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.springframework.http.MediaType;
import org.springframework.http.server.reactive.ReactorHttpHandlerAdapter;
import org.springframework.web.reactive.function.server.RouterFunction;
import org.springframework.web.reactive.function.server.RouterFunctions;
import org.springframework.web.reactive.function.server.ServerResponse;
import reactor.core.publisher.Mono;
import reactor.netty.DisposableServer;
import reactor.netty.http.server.HttpServer;

/** Spring WebFlux on Netty, whose requests are on no thread while they wait. */
public final class WebFluxServer implements WebServer {

    private static final int BACKLOG = 4_096;

    private @Nullable DisposableServer server;

    @Override
    public boolean serves(String variant) {
        return variant.equals("webflux");
    }

    @Override
    public int start(String variant, int latencyMillis) {
        Duration latency = Duration.ofMillis(latencyMillis);
        RouterFunction<ServerResponse> routes =
                route(
                        GET("/get"),
                        request ->
                                ok().contentType(MediaType.TEXT_PLAIN)
                                        .body(
                                                Mono.just(ANSWER).delayElement(latency),
                                                String.class));
        DisposableServer started =
                HttpServer.create()
                        .host("localhost")
                        .port(0)
                        .option(ChannelOption.SO_BACKLOG, BACKLOG)
                        .handle(
                                new ReactorHttpHandlerAdapter(
                                        RouterFunctions.toHttpHandler(routes)))
                        .bindNow();
        server = started;
        return started.port();
    }

    @Override
    public void stop() {
        Objects.requireNonNull(server).disposeNow();
    }
}
