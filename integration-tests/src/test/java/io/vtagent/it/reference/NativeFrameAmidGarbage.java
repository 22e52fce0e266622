package io.vtagent.it.reference;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * {@link NativeFrame}, while a platform thread leaves garbage behind, so that the JVM stops all
 * threads some hundred times a second.
 */
final class NativeFrameAmidGarbage implements Workload {
    private static final int BYTES = 1 << 10;
    private static final int KEPT = 1 << 12;

    private final NativeFrame frame = new NativeFrame();
    private final AtomicBoolean over = new AtomicBoolean();
    private final Thread littering = Thread.ofPlatform().start(this::litter);

    NativeFrameAmidGarbage(int threads, Duration limit) throws NoSuchMethodException {}

    private void litter() {
        List<byte[]> kept = new ArrayList<>();
        while (!over.get()) {
            kept.add(new byte[BYTES]);
            if (kept.size() == KEPT) {
                kept.clear();
            }
        }
    }

    @Override
    public void hold(int thread, int round) throws ReflectiveOperationException {
        frame.hold(thread, round);
    }

    @Override
    public void close() {
        over.set(true);
        AwaitedOperation.join(littering);
    }
}
