package io.vtagent.it.reference;

import java.io.IOException;
import java.nio.channels.Selector;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every thread waits on a selector of its own until the time is over. */
final class SelectorWaits implements Workload {
    private static final long MILLIS = 10;

    private final List<Selector> selectors = new ArrayList<>();

    SelectorWaits(int threads, Duration limit) throws IOException {
        for (int i = 0; i < threads; i++) {
            selectors.add(Selector.open());
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        if (selectors.get(thread).select(MILLIS) != 0) {
            throw new IllegalStateException("there is nothing to select");
        }
    }

    @Override
    public void close() throws IOException {
        for (Selector selector : selectors) {
            selector.close();
        }
    }
}
