package io.vtagent.it.truth;

import java.io.IOException;
import java.time.Duration;

/** A platform thread loads a class that the virtual threads need, by a loader that takes its time. */
final class AwaitedLoader extends Awaited<LoadedSlowly> {
    private final Via via;

    private AwaitedLoader(Via via, Duration limit) throws Exception {
        this.via = via;
        prepare(limit);
    }

    static Factory via(Via via) {
        return (threads, limit) -> new AwaitedLoader(via, limit);
    }

    @Override
    LoadedSlowly create(Runnable begun) throws IOException, ReflectiveOperationException {
        return new LoadedSlowly(begun, Awaited::block);
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
