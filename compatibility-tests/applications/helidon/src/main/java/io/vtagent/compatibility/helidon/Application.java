package io.vtagent.compatibility.helidon;

import io.helidon.webserver.WebServer;
import io.vtagent.compatibility.pins.Answer;

/** Helidon SE, which serves every connection on a virtual thread. */
public final class Application {
    private Application() {}

    public static void main(String[] arguments) {
        WebServer server =
                WebServer.builder()
                        .port(0)
                        .routing(
                                routing ->
                                        routing.get(
                                                "/*",
                                                (request, response) ->
                                                        response.send(
                                                                Answer.to(request.path().path()))))
                        .build()
                        .start();
        System.out.println("listening=" + server.port());
    }
}
