package io.vtagent.it;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.time.Duration;

/**
 * The agent's endpoint in a JVM that runs.
 *
 * @param base without a path
 */
record Endpoint(URI base) {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final HttpClient CLIENT = HttpClient.newHttpClient();

    Metrics metrics() {
        return Metrics.parse(get("/metrics", "text/plain").body());
    }

    Json report() {
        return Json.parse(get("/api/report", "*/*").body());
    }

    HttpResponse<String> get(String path, String accept) {
        return send(request(path).header("Accept", accept).build());
    }

    HttpResponse<String> post(String path) {
        return send(request(path).POST(BodyPublishers.ofString("x=1")).build());
    }

    /** Returns whether the endpoint answers. */
    boolean isUp() {
        try {
            return CLIENT.send(request("/healthz").build(), BodyHandlers.ofString()).statusCode()
                    == 200;
        } catch (IOException notYet) {
            return false;
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    private HttpRequest.Builder request(String path) {
        return HttpRequest.newBuilder(base.resolve(path)).timeout(LIMIT);
    }

    private static HttpResponse<String> send(HttpRequest request) {
        try {
            return CLIENT.send(request, BodyHandlers.ofString());
        } catch (IOException failed) {
            throw new AssertionError("no answer to " + request, failed);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
