package io.vtagent.it.reference;

import java.time.Duration;

/** A platform thread has a monitor that the virtual threads want. */
final class AwaitedMonitor extends AwaitedOperation<AwaitedMonitor.Guarded> {
    AwaitedMonitor(int threads, Duration limit) throws Exception {
        prepare(limit);
    }

    /** The object that the monitor guards. */
    static final class Guarded {
        private final Runnable begun;
        private int entered;

        private Guarded(Runnable begun) {
            this.begun = begun;
        }
    }

    @Override
    Guarded create(Runnable begun) {
        return new Guarded(begun);
    }

    @Override
    void first(Guarded guarded) {
        synchronized (guarded) {
            guarded.begun.run();
            block();
        }
    }

    @Override
    void then(Guarded guarded) {
        synchronized (guarded) {
            guarded.entered++;
            if (guarded.entered < 1) {
                throw new AssertionError("two at a time");
            }
        }
    }
}
