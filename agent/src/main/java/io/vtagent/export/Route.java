package io.vtagent.export;

import java.util.function.Function;

/**
 * How a path is answered.
 *
 * @param open whether it is answered without the token: it tells nothing of the application
 */
public record Route(boolean open, Function<Query, Content> content) {
    /** A path that tells of the application. */
    public static Route guarded(Function<Query, Content> content) {
        return new Route(false, content);
    }

    /** A path that tells nothing of it. */
    public static Route open(Function<Query, Content> content) {
        return new Route(true, content);
    }
}
