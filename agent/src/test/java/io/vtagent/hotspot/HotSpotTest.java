package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.hotspot.HotSpot.State;
import io.vtagent.hotspot.Proof.Facts;
import io.vtagent.jvm.OpenFiles;
import io.vtagent.scheduler.PlatformThreads;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class HotSpotTest {
    private static final String OWN_MEMORY = "/proc/" + ProcessHandle.current().pid() + "/mem";
    private static final CountDownLatch INITIALIZED = new CountDownLatch(1);

    private static final class Slow {
        static {
            awaitUninterruptibly(INITIALIZED);
        }

        private Slow() {}

        static void touch() {}
    }

    private final HotSpot hotspot = HotSpot.ofThisJvm();
    private volatile boolean done;

    @BeforeEach
    void awaitProof() {
        await(hotspot::isProved);
    }

    @AfterEach
    void end() {
        done = true;
    }

    @Test
    void thisJvmIsKnown() {
        assertThat(hotspot.isProved()).isTrue();
    }

    @Test
    void whatCouldNotBeProvedIsUnknownAndIsProvedLater() {
        Queue<Throwable> failures =
                new ArrayDeque<>(
                        List.of(
                                new IllegalStateException("no time"),
                                new OutOfMemoryError("full"),
                                new IOException("too many files")));
        HotSpot later =
                new HotSpot(
                        new Proof.OfThisJvm() {
                            @Override
                            public Facts prove(Fields fields)
                                    throws IOException, InterruptedException {
                                return switch (failures.poll()) {
                                    case null -> super.prove(fields);
                                    case IOException io -> throw io;
                                    case RuntimeException runtime -> throw runtime;
                                    case Throwable error -> throw (Error) error;
                                };
                            }
                        });
        Thread current = Thread.currentThread();
        while (!failures.isEmpty()) {
            assertThat(later.isDue()).isTrue();
            later.attempt();
            assertThat(later.isDue()).as("at once").isFalse();
            assertThat(later.isProved()).isFalse();
            assertThat(later.knowsKernelIds()).isTrue();
            assertThat(later.kernelId(current)).isEqualTo(hotspot.kernelId(current));
            assertThat(later.at(current)).isEqualTo(HotSpot.Moment.UNKNOWN);
            assertThat(later.pendingMonitor(current)).isEqualTo(HotSpot.UNKNOWN);
            assertThat(later.ownerOf(this, PlatformThreads.all())).isEqualTo(HotSpot.UNKNOWN);
            await(later::isDue);
        }
        await(
                () -> { // on a busy machine it may fail once more
                    later.attempt();
                    return later.isProved();
                });
        assertThat(later.isDue()).isFalse();
        assertThat(later.knowsKernelIds()).isTrue();
    }

    @Test
    void whatAJvmDoesNotAnswerIsNotAskedForAgain() {
        HotSpot other =
                new HotSpot(
                        new Proof.OfThisJvm() {
                            @Override
                            public Fields find() throws NoSuchFieldException {
                                throw new NoSuchFieldException("JavaThread::_thread_state");
                            }
                        });
        other.attempt();
        assertThat(other.isDue()).isFalse();
        assertThat(other.knowsKernelIds()).isFalse();
        assertThat(other.isProved()).isFalse();
    }

    @Test
    void theFileIsOpenOnlyWhileMemoryIsRead() throws IOException {
        Memory memory = new Memory();
        assertThatThrownBy(() -> memory.word(16)).isInstanceOf(IOException.class);
        assertThat(OpenFiles.list()).contains(OWN_MEMORY);
        memory.close();
        hotspot.close();
        assertThat(OpenFiles.list()).doesNotContain(OWN_MEMORY);
        assertThat(hotspot.kernelId(Thread.currentThread())).isPositive();
        hotspot.close();
    }

    @Test
    void aThreadIsInNativeCodeOrBlockedOrElsewhere() throws IOException {
        Thread parked = start(() -> LockSupport.park(this));
        Thread computing = start(Thread::onSpinWait);
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            Thread accepting =
                    start(
                            () -> {
                                try {
                                    server.accept();
                                } catch (IOException closed) {
                                    done = true;
                                }
                            });
            await(() -> hotspot.state(accepting) == State.NATIVE);
            await(() -> hotspot.state(parked) == State.BLOCKED);
            await(() -> hotspot.state(computing) == State.OTHER); // except at safepoints

            assertThat(hotspot.state(accepting)).isEqualTo(State.NATIVE);
            assertThat(hotspot.state(parked)).isEqualTo(State.BLOCKED);
        }
    }

    @Test
    void ofAThreadThatHasNotStartedOrHasEndedNothingIsKnown() throws InterruptedException {
        Thread thread = new Thread(() -> {});
        assertUnknown(thread);
        thread.start();
        thread.join();
        assertUnknown(thread);
    }

    private void assertUnknown(Thread thread) {
        assertThat(hotspot.state(thread)).isEqualTo(State.UNKNOWN);
        assertThat(hotspot.kernelId(thread)).isEqualTo(HotSpot.UNKNOWN);
        assertThat(hotspot.pendingMonitor(thread)).isEqualTo(HotSpot.UNKNOWN);
        assertThat(hotspot.awaitedClass(thread)).isNull();
    }

    @Test
    void theKernelsIdOfAThreadIsWhatTheKernelCallsIt() {
        AtomicLong own = new AtomicLong();
        Thread parked =
                start(
                        () -> {
                            own.set(Long.parseLong(taskOfCurrentThread()));
                            LockSupport.park(this);
                        });
        await(() -> own.get() > 0);

        assertThat(hotspot.kernelId(parked)).isEqualTo(own.get());
    }

    private static String taskOfCurrentThread() {
        try {
            return new java.io.File("/proc/thread-self").getCanonicalFile().getName();
        } catch (IOException unknown) {
            return "0";
        }
    }

    @Test
    void onlyAThreadThatWaitsForAMonitorHasAPendingOneAndItsOwnerIsTheThreadThatHasIt() {
        Object monitor = new Object();
        Thread parked = start(() -> LockSupport.park(this));
        Thread entering;
        synchronized (monitor) {
            entering =
                    Thread.ofPlatform()
                            .daemon()
                            .start(
                                    () -> {
                                        synchronized (monitor) {
                                            LockSupport.park(this);
                                        }
                                    });
            await(() -> entering.getState() == Thread.State.BLOCKED);
            long pending = hotspot.pendingMonitor(entering);

            assertThat(pending).isPositive();
            assertThat(ownerOf(pending)).isEqualTo(Thread.currentThread().threadId());
            assertThat(hotspot.pendingMonitor(parked)).isEqualTo(HotSpot.NONE);
        }
        await(() -> hotspot.pendingMonitor(entering) == HotSpot.NONE);
        Thread next =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    synchronized (monitor) {
                                        LockSupport.park(this);
                                    }
                                });
        // the other one has got it from the thread that had it
        await(
                () ->
                        hotspot.pendingMonitor(next) > 0
                                && ownerOf(hotspot.pendingMonitor(next)) == entering.threadId());
        LockSupport.unpark(entering);
        LockSupport.unpark(next);
    }

    private long ownerOf(long monitor) {
        return hotspot.ownerOf(monitor, PlatformThreads.all());
    }

    @Test
    void aThreadThatWaitsForAClassNamesItAndTheInitializingThread() throws InterruptedException {
        Thread initializing = Thread.ofPlatform().daemon().start(Slow::touch);
        await(() -> hotspot.isBeingInitialized(Slow.class));
        Thread waiting = Thread.ofPlatform().daemon().start(Slow::touch);
        await(() -> hotspot.awaitedClass(waiting) != null);

        assertThat(nameOf(hotspot.awaitedClass(waiting))).isEqualTo(Slow.class.getName());
        assertThat(hotspot.isThread(initializing, hotspot.initializerOf(Slow.class))).isTrue();
        assertThat(hotspot.isThread(waiting, hotspot.initializerOf(Slow.class))).isFalse();
        assertThat(hotspot.awaitedClass(initializing)).isNull();
        INITIALIZED.countDown();
        initializing.join();
        waiting.join();
        assertThat(hotspot.isBeingInitialized(Slow.class)).isFalse();
        assertThat(hotspot.initializerOf(Slow.class)).isEqualTo(HotSpot.NONE);
    }

    private static @Nullable String nameOf(HotSpot.@Nullable AwaitedClass awaited) {
        return awaited == null ? null : awaited.name();
    }

    /** A read of the JVM's own would end it. */
    @Test
    void memoryThatIsNotMappedIsRefused() throws IOException {
        Memory memory = new Memory();
        assertThatThrownBy(() -> memory.word(16)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> memory.word(-1)).isInstanceOf(IOException.class);
        assertThatThrownBy(() -> memory.word(Long.MAX_VALUE - 8)).isInstanceOf(IOException.class);
        assertThat(hotspot.ownerOf(16, PlatformThreads.all())).isEqualTo(HotSpot.UNKNOWN);
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
    }

    private static void await(BooleanSupplier condition) {
        while (!condition.getAsBoolean()) {
            LockSupport.parkNanos(1_000_000);
        }
    }

    private Thread start(Runnable step) {
        return Thread.ofPlatform()
                .daemon()
                .start(
                        () -> {
                            while (!done) {
                                step.run();
                            }
                        });
    }
}
