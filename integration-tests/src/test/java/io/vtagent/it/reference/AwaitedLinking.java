package io.vtagent.it.reference;

import java.io.IOException;
import java.time.Duration;

/** A platform thread links a class that the virtual threads need. */
final class AwaitedLinking extends AwaitedOperation<SlowLinkingLoader> {
    AwaitedLinking(int unusedThreads, Duration limit) throws Exception {
        prepare(limit);
    }

    @Override
    SlowLinkingLoader create(Runnable begun) throws IOException, ReflectiveOperationException {
        return new SlowLinkingLoader(begun);
    }

    @Override
    void first(SlowLinkingLoader subject) {
        subject.link();
    }

    @Override
    void then(SlowLinkingLoader subject) {
        subject.link();
    }
}
