package io.vtagent.it.reference;

import java.io.IOException;
import java.time.Duration;

/** A platform thread initializes a class that the virtual threads need. */
final class AwaitedInitializer extends AwaitedOperation<FreshInitializer> {
    private final ClassTrigger via;

    private AwaitedInitializer(ClassTrigger via, Duration limit) throws Exception {
        this.via = via;
        prepare(limit);
    }

    static Factory via(ClassTrigger via) {
        return (threads, limit) -> new AwaitedInitializer(via, limit);
    }

    @Override
    FreshInitializer create(Runnable begun) throws IOException, ReflectiveOperationException {
        return new FreshInitializer(begun);
    }

    @Override
    void first(FreshInitializer subject) throws ReflectiveOperationException {
        subject.initialize(ClassTrigger.LINK);
    }

    @Override
    void then(FreshInitializer subject) throws ReflectiveOperationException {
        subject.initialize(via);
    }
}
