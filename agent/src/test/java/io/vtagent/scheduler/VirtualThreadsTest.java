package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.vtagent.jvm.OwnPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class VirtualThreadsTest {
    private static final long HOUR = 3_600_000_000_000L;
    private static final Supplier<List<StackTraceElement>> NO_FRAMES = List::of;

    private final ForkJoinPool scheduler = OwnPool.of(2, 2, VirtualThreadsTest::carrier);
    private final ThreadFactory threads = OwnPool.virtualThreads(scheduler);
    private final CarrierPool pool;
    private volatile boolean end;

    VirtualThreadsTest() throws ReflectiveOperationException {
        pool = OwnPool.seen(scheduler);
    }

    /** Of the class on which alone the brackets around file I/O act. */
    private static ForkJoinWorkerThread carrier(ForkJoinPool pool) {
        try {
            return Class.forName("jdk.internal.misc.CarrierThread")
                    .asSubclass(ForkJoinWorkerThread.class)
                    .getConstructor(ForkJoinPool.class)
                    .newInstance(pool);
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JDK has no such carriers", unknown);
        }
    }

    @AfterEach
    void end() {
        end = true;
        scheduler.shutdown();
    }

    @Test
    void virtualThreadsShareCarriersInThisJvm() {
        assertThat(VirtualThreads.haveCarriers()).isTrue();
    }

    /** Since JDK 24 a virtual thread unmounts with a monitor (JEP 491). */
    @Test
    void monitorsPinUpToJdk23() {
        assertThat(VirtualThreads.monitorsPin()).isEqualTo(Runtime.version().feature() < 24);
    }

    @Test
    void aVirtualThreadBelongsToTheSchedulerThatItWasMadeFor() {
        assertThat(VirtualThreads.schedulerOf(threads.newThread(() -> {}))).isSameAs(scheduler);
    }

    @Test
    void aThreadThatComputesIsMountedOnItsCarrierAlone() {
        Thread computing = start(Thread::onSpinWait);
        awaitState(computing, Thread.State.RUNNABLE);
        while (!VirtualThreads.isMounted(computing)) {
            Thread.onSpinWait();
        }
        Thread carrier = pool.carriers().getFirst();

        assertThat(VirtualThreads.isMounted(computing, carrier)).isTrue();
        assertThat(VirtualThreads.isMounted(computing, Thread.currentThread())).isFalse();
    }

    @Test
    void aParkedThreadIsNotMounted() {
        Thread parked = start(LockSupport::park);
        awaitState(parked, Thread.State.WAITING);

        assertThat(VirtualThreads.isMounted(parked)).isFalse();
    }

    @Test
    void aPlatformThreadCountsAsMountedOnlyOnACarrierThatIsNamed() {
        assertThat(VirtualThreads.isMounted(Thread.currentThread())).isFalse();
        assertThat(VirtualThreads.isMounted(Thread.currentThread(), new Thread())).isTrue();
    }

    @Test
    void aPinnedThreadStaysMountedUntilAsManyUnpinsAsPins() {
        AtomicInteger unpins = new AtomicInteger();
        AtomicInteger done = new AtomicInteger();
        Thread thread =
                threads.newThread(
                        () -> {
                            VirtualThreads.pin();
                            VirtualThreads.pin();
                            while (!end) {
                                LockSupport.park();
                                if (done.get() < unpins.get()) {
                                    VirtualThreads.unpin();
                                    done.incrementAndGet();
                                }
                            }
                        });
        thread.start();
        List<Boolean> mounted = new ArrayList<>();
        for (int wanted = 0; wanted <= 2; wanted++) {
            unpins.set(wanted);
            while (done.get() < wanted) {
                LockSupport.unpark(thread);
            }
            awaitState(thread, Thread.State.WAITING);
            mounted.add(wanted < 2 ? VirtualThreads.isMounted(thread) : !unmounts(thread));
        }
        end = true;
        LockSupport.unpark(thread);

        assertThat(mounted).containsExactly(true, true, false);
    }

    @Test
    void aPlatformThreadCannotBePinnedAndIsLeftAlone() {
        assertThatCode(
                        () -> {
                            VirtualThreads.pin();
                            VirtualThreads.unpin();
                        })
                .doesNotThrowAnyException();
    }

    @Test
    void aThreadThatParksPinnedStaysMountedMeanwhileAndNoLonger() throws InterruptedException {
        CountDownLatch over = new CountDownLatch(1);
        Thread thread =
                threads.newThread(
                        () -> {
                            VirtualThreads.parkPinned();
                            over.countDown();
                            while (!end) {
                                LockSupport.park();
                            }
                        });
        thread.start();
        awaitState(thread, Thread.State.WAITING);
        boolean mountedMeanwhile = VirtualThreads.isMounted(thread);
        LockSupport.unpark(thread);
        over.await();
        awaitState(thread, Thread.State.WAITING);
        boolean mountedLater = VirtualThreads.isMounted(thread);
        end = true;
        LockSupport.unpark(thread);

        assertThat(mountedMeanwhile).isTrue();
        assertThat(mountedLater).isFalse();
    }

    @Test
    void theStateOfAPlatformThreadShowsWhetherItsParkingHasALimit() {
        Thread limited = Thread.ofPlatform().start(() -> repeat(() -> LockSupport.parkNanos(HOUR)));
        Thread unlimited = Thread.ofPlatform().start(() -> repeat(LockSupport::park));
        awaitState(limited, Thread.State.TIMED_WAITING);
        awaitState(unlimited, Thread.State.WAITING);

        assertThat(VirtualThreads.isTimed(limited, NO_FRAMES)).isTrue();
        assertThat(VirtualThreads.isTimed(unlimited, () -> frames("parkNanos"))).isFalse();
        end = true;
        LockSupport.unpark(limited);
        LockSupport.unpark(unlimited);
    }

    @Test
    void theFramesOfAParkedVirtualThreadShowWhetherItsParkingHasALimit() {
        Thread parked = start(LockSupport::park);
        awaitState(parked, Thread.State.WAITING);

        assertThat(VirtualThreads.isTimed(parked, NO_FRAMES)).isFalse();
        assertThat(VirtualThreads.isTimed(parked, () -> frames("yield", "park"))).isFalse();
        assertThat(VirtualThreads.isTimed(parked, () -> frames("a", "b", "c", "parkNanos")))
                .isTrue();
        assertThat(VirtualThreads.isTimed(parked, () -> frames("a", "b", "c", "d", "parkNanos")))
                .as("too deep to be the JDK's own frame")
                .isFalse();
        end = true;
        LockSupport.unpark(parked);
    }

    @Test
    void aVirtualThreadThatIsNotParkedHasNoLimit() {
        Thread computing = start(Thread::onSpinWait);
        awaitState(computing, Thread.State.RUNNABLE);

        assertThat(VirtualThreads.isTimed(computing, () -> frames("parkNanos"))).isFalse();
    }

    @Test
    void aBracketedTaskIsCompensatedForWhileItRunsAndNoLonger()
            throws ReflectiveOperationException, InterruptedException {
        Thread computing = start(Thread::onSpinWait);
        while (!VirtualThreads.isMounted(computing)) {
            Thread.onSpinWait();
        }
        List<Integer> atWork = new ArrayList<>();
        Runnable bracketed = VirtualThreads.bracketed(() -> atWork.add(pool.atWork()));
        Thread thread =
                threads.newThread(
                        () -> {
                            atWork.add(pool.atWork());
                            bracketed.run();
                            atWork.add(pool.atWork());
                        });
        thread.start();
        thread.join();

        assertThat(atWork).containsExactly(2, 1, 2);
    }

    private Thread start(Runnable step) {
        Thread thread = threads.newThread(() -> repeat(step));
        thread.start();
        return thread;
    }

    private void repeat(Runnable step) {
        while (!end) {
            step.run();
        }
    }

    /** Waits, because the last permit may have woken the thread once more. */
    private boolean unmounts(Thread thread) {
        while (VirtualThreads.isMounted(thread)) {
            if (end) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    private static void awaitState(Thread thread, Thread.State wanted) {
        while (thread.getState() != wanted) {
            Thread.onSpinWait();
        }
    }

    private static List<StackTraceElement> frames(String... methods) {
        List<StackTraceElement> frames = new ArrayList<>();
        for (String method : methods) {
            frames.add(new StackTraceElement("java.lang.VirtualThread", method, null, -1));
        }
        return frames;
    }
}
