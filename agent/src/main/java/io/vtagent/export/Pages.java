package io.vtagent.export;

import io.vtagent.export.Endpoint.Page;
import io.vtagent.log.AgentLog;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.apache.hc.core5.http.Header;
import org.apache.hc.core5.http.HttpRequest;
import org.apache.hc.core5.http.HttpStatus;
import org.jspecify.annotations.Nullable;

/** Answers requests: those that may be asked, from pages by path. Thread-safe. */
final class Pages {
    private static final String HEALTH = "/healthz";
    /** The application needs its processors itself, whoever asks for pages. */
    private static final int AT_A_TIME = 2;

    private static final long TURN_SECONDS = 5;

    private final Guard guard;
    private final Map<String, Function<@Nullable String, Page>> byPath;
    private final Semaphore turns = new Semaphore(AT_A_TIME);

    Pages(Guard guard, Map<String, Function<@Nullable String, Page>> byPath) {
        this.guard = guard;
        this.byPath = new TreeMap<>(byPath);
    }

    /** All that there are, but for those of {@link Endpoint} itself. */
    Set<String> paths() {
        return byPath.keySet();
    }

    /** Never throws. */
    Answer answer(HttpRequest request) {
        Answer refusal = guard.refusal(request);
        if (refusal != null) {
            return refusal;
        }
        String method = request.getMethod();
        if (!method.equals("GET") && !method.equals("HEAD")) {
            return Answer.text(HttpStatus.SC_METHOD_NOT_ALLOWED, "only GET and HEAD are answered")
                    .with("Allow", "GET, HEAD");
        }
        String path = withoutQuery(String.valueOf(request.getPath()));
        if (path.equals(HEALTH)) {
            return Answer.text(HttpStatus.SC_OK, "ok");
        }
        // only now: whether a path exists is nobody's business without the token
        Answer unauthorized = guard.unauthorized(request);
        if (unauthorized != null) {
            return unauthorized;
        }
        Function<@Nullable String, Page> page = byPath.get(path);
        if (page == null) {
            return Answer.text(
                    HttpStatus.SC_NOT_FOUND, "not found: see " + HEALTH + ", " + String.join(", ", byPath.keySet()));
        }
        Header accept = request.getFirstHeader("Accept");
        return inTurn(path, page, accept == null ? null : accept.getValue());
    }

    private Answer inTurn(String path, Function<@Nullable String, Page> page, @Nullable String accept) {
        boolean ours = false;
        try {
            ours = turns.tryAcquire(TURN_SECONDS, TimeUnit.SECONDS);
            return ours
                    ? Answer.of(HttpStatus.SC_OK, page.apply(accept))
                    : Answer.text(HttpStatus.SC_SERVICE_UNAVAILABLE, "too many ask at the same time")
                            .with("Retry-After", Long.toString(TURN_SECONDS));
        } catch (Throwable failure) {
            AgentLog.debug("cannot answer " + path, failure);
            return Answer.text(
                    HttpStatus.SC_INTERNAL_SERVER_ERROR,
                    "the page failed: " + failure.getClass().getName() + "; with log=debug its stack is on stderr");
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
