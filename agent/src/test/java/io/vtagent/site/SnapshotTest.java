package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SnapshotTest {
    private static volatile boolean released;

    private static final class Slow {
        static {
            while (!released) {
                LockSupport.park();
            }
        }

        static void initialize() {}
    }

    /** A thread that runs an initializer does not unmount, so another thread can read its stack. */
    @Test
    void itReportsTheFramesAsTheJdkPrintsThemAndTheClassesThatAreInitialized()
            throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(Slow::initialize);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        Snapshot stack = Snapshot.of(thread);

        assertThat(stack.frames()).containsExactly(thread.getStackTrace());
        assertThat(stack.frames())
                .extracting(StackTraceElement::toString)
                .anyMatch(frame -> frame.contains("SnapshotTest$Slow.<clinit>(SnapshotTest.java:"));
        assertThat(stack.initializing()).containsExactly(Slow.class);
        assertThat(stack.innermost()).hasToString("class jdk.internal.misc.Unsafe");
        assertThat(stack.isInNativeMethod()).isTrue();
        released = true;
        LockSupport.unpark(thread);
        thread.join();
    }

    /** A redefined method could be freed while its frame is read, which ends the JVM. */
    @Test
    void itHasNoFramesWhileClassesAreRedefined() {
        Thread current = Thread.currentThread();
        List<Snapshot> taken = new ArrayList<>();
        Redefinitions.begin();
        onAnotherThread(() -> taken.add(Snapshot.of(current)));
        Redefinitions.awaitQuiet(Long.MAX_VALUE);
        onAnotherThread(() -> taken.add(Snapshot.of(current)));

        assertThat(taken.get(0).frames()).isEmpty();
        assertThat(taken.get(1).frames()).isNotEmpty();
    }

    private static void onAnotherThread(Runnable task) {
        try {
            Thread.ofPlatform().start(task).join();
        } catch (InterruptedException impossible) {
            throw new AssertionError(impossible);
        }
    }

    @Test
    void theReadIsSignalledBeforeTheFramesAreCompleted() {
        Thread current = Thread.currentThread();
        AtomicInteger signals = new AtomicInteger();
        List<Snapshot> taken = new ArrayList<>();
        onAnotherThread(() -> taken.add(Snapshot.of(current, signals::incrementAndGet)));

        assertThat(signals).hasValue(1);
        assertThat(taken.getFirst().frames())
                .anyMatch(frame -> frame.getClassName().equals(SnapshotTest.class.getName()));
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void ofAThreadThatIsNotMountedOrNotAliveThereIsNone(boolean alive) throws InterruptedException {
        CountDownLatch end = new CountDownLatch(1);
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        end.await();
                                    } catch (InterruptedException hurried) {
                                        Thread.currentThread().interrupt();
                                    }
                                });
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
        if (!alive) {
            end.countDown();
            thread.join();
        }

        Snapshot stack = Snapshot.of(thread);

        assertThat(stack.frames()).isEmpty();
        assertThat(stack.innermost()).isNull();
        assertThat(stack.isInNativeMethod()).isFalse();
        end.countDown();
        thread.join();
    }
}
