package io.vtagent.it.truth;

import java.io.IOException;
import java.time.Duration;

/** A platform thread initializes a class that the virtual threads need. */
final class AwaitedInitializer extends Awaited<InitializedAnew> {
    private final Via via;

    private AwaitedInitializer(Via via, Duration limit) throws Exception {
        this.via = via;
        prepare(limit);
    }

    static Factory via(Via via) {
        return (threads, limit) -> new AwaitedInitializer(via, limit);
    }

    @Override
    InitializedAnew create(Runnable begun) throws IOException, ReflectiveOperationException {
        return new InitializedAnew(begun);
    }

    @Override
    void first(InitializedAnew subject) throws ReflectiveOperationException {
        subject.initialize(Via.LINK);
    }

    @Override
    void then(InitializedAnew subject) throws ReflectiveOperationException {
        subject.initialize(via);
    }
}
