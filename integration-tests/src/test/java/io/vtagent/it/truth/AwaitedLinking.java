package io.vtagent.it.truth;

import java.io.IOException;
import java.time.Duration;

/** A platform thread links a class that the virtual threads need. */
final class AwaitedLinking extends Awaited<LinkedSlowly> {
    AwaitedLinking(int unusedThreads, Duration limit) throws Exception {
        prepare(limit);
    }

    @Override
    LinkedSlowly create(Runnable begun) throws IOException, ReflectiveOperationException {
        return new LinkedSlowly(begun);
    }

    @Override
    void first(LinkedSlowly subject) {
        subject.link();
    }

    @Override
    void then(LinkedSlowly subject) {
        subject.link();
    }
}
