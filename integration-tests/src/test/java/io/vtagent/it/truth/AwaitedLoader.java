package io.vtagent.it.truth;

import java.io.IOException;
import java.time.Duration;

/**
 * A platform thread loads a class that the virtual threads need, by a loader that takes its time.
 */
final class AwaitedLoader extends Awaited<LoadedSlowly> {
    private final Via via;
    private final boolean locked;

    private AwaitedLoader(Via via, boolean locked, Duration limit) throws Exception {
        this.via = via;
        this.locked = locked;
        prepare(limit);
    }

    static Factory via(Via via) {
        return (threads, limit) -> new AwaitedLoader(via, false, limit);
    }

    /** The JVM locks the loader, and the virtual threads wait until it can do so for them. */
    static Factory locked() {
        return (threads, limit) -> new AwaitedLoader(Via.LINK, true, limit);
    }

    @Override
    LoadedSlowly create(Runnable begun) throws IOException, ReflectiveOperationException {
        return locked
                ? new LoadedSlowly.LockedLoader(begun, Awaited::block)
                : new LoadedSlowly(begun, Awaited::block);
    }

    @Override
    void first(LoadedSlowly subject) throws ClassNotFoundException {
        subject.load(Via.LINK);
    }

    @Override
    void then(LoadedSlowly subject) throws ClassNotFoundException {
        subject.load(via);
    }
}
