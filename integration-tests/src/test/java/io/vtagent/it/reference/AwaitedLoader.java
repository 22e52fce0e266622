package io.vtagent.it.reference;

import java.io.IOException;
import java.time.Duration;

/**
 * A platform thread loads a class that the virtual threads need, by a loader that takes its time.
 */
final class AwaitedLoader extends AwaitedOperation<SlowLoader> {
    private final ClassTrigger via;
    private final boolean locked;

    private AwaitedLoader(ClassTrigger via, boolean locked, Duration limit) throws Exception {
        this.via = via;
        this.locked = locked;
        prepare(limit);
    }

    static Factory via(ClassTrigger via) {
        return (threads, limit) -> new AwaitedLoader(via, false, limit);
    }

    /** The JVM locks the loader, and the virtual threads wait until it can do so for them. */
    static Factory locked() {
        return (threads, limit) -> new AwaitedLoader(ClassTrigger.LINK, true, limit);
    }

    @Override
    SlowLoader create(Runnable begun) throws IOException, ReflectiveOperationException {
        return locked
                ? new SlowLoader.LockedLoader(begun, AwaitedOperation::block)
                : new SlowLoader(begun, AwaitedOperation::block);
    }

    @Override
    void first(SlowLoader subject) throws ClassNotFoundException {
        subject.load(ClassTrigger.LINK);
    }

    @Override
    void then(SlowLoader subject) throws ClassNotFoundException {
        subject.load(via);
    }
}
