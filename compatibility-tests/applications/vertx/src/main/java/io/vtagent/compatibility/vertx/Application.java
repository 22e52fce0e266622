package io.vtagent.compatibility.vertx;

import io.vertx.core.AbstractVerticle;
import io.vertx.core.DeploymentOptions;
import io.vertx.core.Promise;
import io.vertx.core.ThreadingModel;
import io.vertx.core.Vertx;
import io.vertx.core.http.HttpServerRequest;
import io.vtagent.compatibility.pins.Answer;

/** A verticle on virtual threads. */
public final class Application extends AbstractVerticle {

    public static void main(String[] arguments) {
        Vertx.vertx()
                .deployVerticle(
                        Application.class.getName(),
                        new DeploymentOptions().setThreadingModel(ThreadingModel.VIRTUAL_THREAD))
                .onFailure(Throwable::printStackTrace);
    }

    @Override
    public void start(Promise<Void> started) {
        vertx.createHttpServer()
                .requestHandler(Application::answer)
                .listen(0)
                .onSuccess(
                        server -> {
                            System.out.println("listening=" + server.actualPort());
                            started.complete();
                        })
                .onFailure(started::fail);
    }

    private static void answer(HttpServerRequest request) {
        try {
            request.response().end(Answer.to(request.path()));
        } catch (InterruptedException | ClassNotFoundException failure) {
            request.response().setStatusCode(500).end(failure.toString());
        }
    }
}
