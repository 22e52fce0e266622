package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.VirtualThreads;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Test;

class RunningInitializersTest {
    private static final long PAUSE_NANOS = RunningInitializers.SHORTEST_PAUSE_NANOS;

    private static final CountDownLatch INITIALIZING = new CountDownLatch(1);
    private static final CountDownLatch INITIALIZED = new CountDownLatch(1);

    private final RunningInitializers initializers;

    RunningInitializersTest() throws ReflectiveOperationException {
        initializers = new RunningInitializers(CarrierPool.ofThisJvm());
    }

    private static final class Slow {
        static {
            INITIALIZING.countDown();
            VirtualThreads.pin(); // JDK 26 and later may unmount it
            try {
                INITIALIZED.await();
            } catch (InterruptedException hurried) {
                Thread.currentThread().interrupt();
            }
            VirtualThreads.unpin();
        }

        static void initialize() {}
    }

    @AfterAll
    static void end() {
        INITIALIZED.countDown();
    }

    @Test
    void whatVirtualThreadsInitializeIsFound() throws InterruptedException {
        Thread initializing = Thread.startVirtualThread(Slow::initialize);
        INITIALIZING.await();
        while (initializing.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        initializers.search();

        assertThat(initializers.without(Thread.currentThread())).contains(Slow.class);
        assertThat(initializers.without(initializing)).doesNotContain(Slow.class);

        INITIALIZED.countDown();
        initializing.join();
        initializers.search();
        assertThat(initializers.without(Thread.currentThread())).doesNotContain(Slow.class);
    }

    @Test
    void whoeverIsNewIsSearchedForAtOnceAndThenEverMoreRarely() {
        long nowNanos = 1_000;
        assertThat(initializers.searchIfDue(true, nowNanos)).isTrue();
        assertThat(initializers.searchIfDue(true, nowNanos)).isTrue();
        for (long pauseNanos = PAUSE_NANOS; pauseNanos < 16 * PAUSE_NANOS; pauseNanos *= 2) {
            assertThat(initializers.searchIfDue(false, nowNanos + pauseNanos - 1))
                    .isFalse();
            nowNanos += pauseNanos;
            assertThat(initializers.searchIfDue(false, nowNanos)).isTrue();
        }
        assertThat(initializers.searchIfDue(true, nowNanos)).isTrue();
        assertThat(initializers.searchIfDue(false, nowNanos + PAUSE_NANOS)).isTrue();
    }

    @Test
    void howeverLongItLastsOneSearchASecondRemains() {
        long nowNanos = 0;
        initializers.searchIfDue(true, nowNanos);
        for (int i = 0; i < 20; i++) {
            nowNanos += 1_000_000_000;
            assertThat(initializers.searchIfDue(false, nowNanos)).isTrue();
        }
        assertThat(initializers.searchIfDue(false, nowNanos + 999_999_999)).isFalse();
    }
}
