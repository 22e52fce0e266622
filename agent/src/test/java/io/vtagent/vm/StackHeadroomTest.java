package io.vtagent.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class StackHeadroomTest {
    /** As deep as what is left may go: {@code VirtualThreads.unpin}, and what that calls. */
    private static final int DEEPEST = 10;

    private final AtomicInteger claimed = new AtomicInteger();
    private final AtomicInteger refused = new AtomicInteger();
    private final AtomicBoolean missing = new AtomicBoolean();

    /** Threads of many sizes, so that the end of the stack comes everywhere between a claim and what it was for. */
    @Test
    void whereAClaimWentThroughTheStackIsNotAtItsEnd() throws InterruptedException {
        Deque<Thread> threads = new ArrayDeque<>();
        for (int i = 0; i < 100; i++) {
            threads.add(new Thread(null, this::toTheEnd, "deep-" + i, 200_000 + i * 4_096L));
        }
        for (Thread thread : threads) {
            thread.start();
            thread.join();
        }

        assertThat(claimed.get()).isGreaterThan(100);
        assertThat(refused.get()).isEqualTo(100);
        assertThat(missing).isFalse();
    }

    private void toTheEnd() {
        try {
            descend();
        } catch (StackOverflowError end) {
            // as it should
        }
    }

    @SuppressWarnings("InfiniteRecursion") // to the end of the stack
    private void descend() {
        try {
            StackHeadroom.claim(StackHeadroom.TO_LEAVE);
        } catch (StackOverflowError end) {
            refused.incrementAndGet();
            throw end;
        }
        claimed.incrementAndGet();
        try {
            use(DEEPEST);
        } catch (StackOverflowError end) {
            missing.set(true);
            throw end;
        }
        descend();
    }

    private static int use(int frames) {
        return frames == 0 ? 0 : use(frames - 1) + frames;
    }
}
