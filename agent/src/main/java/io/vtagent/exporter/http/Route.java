package io.vtagent.exporter.http;

import java.util.function.Function;

/**
 * The content of a path and its access rule.
 *
 * @param open whether the path is served without the token, because it exposes nothing of the
 *     application
 * @param warmsUp whether the path may be requested to warm up, although no client has asked
 */
public record Route(boolean open, boolean warmsUp, Function<Query, Content> content) {
    /** Creates a route that exposes data of the application. */
    public static Route guarded(Function<Query, Content> content) {
        return new Route(false, true, content);
    }

    /** Creates a route that exposes nothing of the application. */
    public static Route open(Function<Query, Content> content) {
        return new Route(true, true, content);
    }

    /** Creates a route that exposes data of the application, and is costly to answer. */
    public static Route onlyOnRequest(Function<Query, Content> content) {
        return new Route(false, false, content);
    }
}
