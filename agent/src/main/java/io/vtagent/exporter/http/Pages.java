package io.vtagent.exporter.http;

import io.vtagent.log.AgentLog;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpStatus;

/** Answers permitted requests, from pages by path. Thread-safe. */
final class Pages {
    private static final String HEALTH = "/healthz";

    /** The number of pages that are created at a time, because the application needs the CPUs. */
    private static final int AT_A_TIME = 2;

    private static final long TURN_SECONDS = 5;

    /**
     * The number of clients that may read events. Each occupies one of the endpoint's places while
     * it is connected.
     */
    private static final int MAX_READERS = 4;

    private final Guard guard;
    private final Map<String, Route> byPath;
    private final Semaphore turns = new Semaphore(AT_A_TIME);
    private final Semaphore readers = new Semaphore(MAX_READERS);

    Pages(Guard guard, Map<String, Route> byPath) {
        this.guard = guard;
        this.byPath = new TreeMap<>(byPath);
    }

    /**
     * Returns the paths of the pages that are created for each request, and the path of one static
     * file.
     */
    Set<String> pathsToWarmUp() {
        Set<String> paths = new TreeSet<>();
        boolean file = false;
        for (Map.Entry<String, Route> route : byPath.entrySet()) {
            if (route.getValue().warmsUp() && (!route.getValue().open() || !file)) {
                paths.add(route.getKey());
                file |= route.getValue().open();
            }
        }
        return paths;
    }

    /** Answers {@code request}. Never throws. */
    Response answer(HttpRequest request) {
        Response refusal = guard.refusal(request);
        if (refusal != null) {
            return refusal;
        }
        String method = request.getMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Response.text(HttpStatus.SC_METHOD_NOT_ALLOWED, "only GET and HEAD are allowed")
                    .with("Allow", "GET, HEAD");
        }
        String asked = String.valueOf(request.getPath());
        String path = withoutQuery(asked);
        if (path.equals(HEALTH)) {
            return Response.text(HttpStatus.SC_OK, "ok");
        }
        Route route = byPath.get(path);
        // before the path is looked up: without the token, an answer must not reveal which paths
        // exist
        Response unauthorized = route != null && route.open() ? null : guard.unauthorized(request);
        if (unauthorized != null) {
            return unauthorized;
        }
        if (route == null) {
            return Response.text(
                    HttpStatus.SC_NOT_FOUND,
                    "not found: see " + HEALTH + ", " + String.join(", ", byPath.keySet()));
        }
        Header accept = request.getFirstHeader("Accept");
        Response answer =
                inTurn(path, route, Query.of(accept == null ? null : accept.getValue(), asked));
        if (answer.content() instanceof Content.Events && !readers.tryAcquire()) {
            return Response.text(
                            HttpStatus.SC_SERVICE_UNAVAILABLE,
                            MAX_READERS + " clients already read events")
                    .with("Retry-After", Long.toString(TURN_SECONDS));
        }
        return answer;
    }

    /** Must be called for each answer once it has been written or has failed. */
    void written(Response answer) {
        if (answer.content() instanceof Content.Events) {
            readers.release();
        }
    }

    private Response inTurn(String path, Route route, Query query) {
        boolean ours = false;
        try {
            ours = turns.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
            return ours
                    ? Response.of(HttpStatus.SC_OK, route.content().apply(query))
                    : Response.text(
                                    HttpStatus.SC_SERVICE_UNAVAILABLE,
                                    "too many concurrent requests")
                            .with("Retry-After", Long.toString(TURN_SECONDS));
        } catch (BadQueryException bad) {
            return Response.text(HttpStatus.SC_BAD_REQUEST, String.valueOf(bad.getMessage()));
        } catch (Throwable failure) {
            AgentLog.debug("cannot answer " + path, failure);
            return Response.text(
                    HttpStatus.SC_INTERNAL_SERVER_ERROR,
                    "the page failed: "
                            + failure.getClass().getName()
                            + "; with log=debug its stack is on stderr");
        } finally {
            if (ours) {
                turns.release();
            }
        }
    }

    private static String withoutQuery(String path) {
        int query = path.indexOf('?');
        return query < 0 ? path : path.substring(0, query);
    }
}
