package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(
        value = 30,
        threadMode =
                Timeout.ThreadMode.SEPARATE_THREAD) // an interrupt would not end a loop that parks
class KernelThreadsTest {
    private final AtomicBoolean done = new AtomicBoolean();
    private final KernelThreads kernel = new KernelThreads();

    @AfterEach
    void end() {
        done.set(true);
    }

    @Test
    void aWaitingThreadIsInTheSameSleepUntilItHasRunAgain() {
        Thread parked = start(() -> LockSupport.park(this));
        await(() -> kernel.at(parked).sleeping());
        // the thread is known by now
        KernelThreads.Sample first = kernel.at(parked);

        assertThat(kernel.at(parked)).isEqualTo(first);
        LockSupport.unpark(parked);
        await(() -> kernel.at(parked).sleepId() != first.sleepId());
    }

    @Test
    void closedItHasNoFileOpenAndOpensOneAgainWhenItIsAsked() {
        Thread parked = start(() -> LockSupport.park(this));
        await(() -> kernel.at(parked).sleeping());
        assertThat(kernel.sleeps(parked)).as("by a file that is open").isTrue();
        kernel.close();
        assertThat(kernel.at(parked).sleeping()).as("which asks the kernel nothing").isTrue();
        assertThat(kernel.sleeps(parked)).as("by a file that it opens").isTrue();
        kernel.close();

        KernelThreads.Sample before = kernel.at(parked);
        LockSupport.unpark(parked);
        await(
                () ->
                        kernel.at(parked).sleepId() != before.sleepId()
                                && kernel.at(parked).sleeping());
        assertThat(kernel.sleeps(parked)).isTrue();
        kernel.close();
    }

    @Test
    void aThreadThatComputesIsRunnableAndOneThatParksIsNot() {
        Thread parked = start(() -> LockSupport.park(this));
        Thread computing = start(Thread::onSpinWait);

        await(() -> kernel.isRunnable(computing) && !kernel.isRunnable(parked));
        await(() -> kernel.isRunnable(computing) && !kernel.isRunnable(parked));
    }

    @Test
    void aThreadThatComputesFirstAndThenSleepsForAMomentAgainAndAgainIsFound() {
        AtomicBoolean sleeps = new AtomicBoolean();
        AtomicLong steps = new AtomicLong();
        Thread thread =
                start(
                        () -> {
                            steps.incrementAndGet();
                            if (sleeps.get()) {
                                LockSupport.parkNanos(300_000);
                            }
                        });
        await(() -> steps.get() > 1_000_000);
        kernel.at(thread);
        sleeps.set(true);

        // never twice in the same sleep
        int samples = 0;
        while (samples < 100 && !kernel.at(thread).sleeping()) {
            samples++;
            LockSupport.parkNanos(3_000_000);
        }
        assertThat(samples).isLessThan(100);
    }

    /**
     * The kernel's view: a thread that has slept, and has not been preempted since, has slept again
     * and is about to go on.
     */
    @Test
    void aThreadThatYieldedItsCpuSinceItSleptLeavesAnotherSleep() {
        KernelThreads.Known its = new KernelThreads.Known();
        assertThat(KernelThreads.isSleeping(its, 1, status("R (running)", 3))).isFalse();
        assertThat(KernelThreads.isSleeping(its, 2, status("S (sleeping)", 4))).isTrue();
        assertThat(KernelThreads.isSleeping(its, 3, status("R (running)", 4))).isTrue();
        assertThat(KernelThreads.isSleeping(its, 4, status("R (running)", 5))).isFalse();
    }

    private static String status(String state, int preemptions) {
        return "Name:\tjava\nState:\t"
                + state
                + "\nnonvoluntary_ctxt_switches:\t"
                + preemptions
                + "\n";
    }

    @Test
    void aComputingThreadIsNotSleepingWhetherItHasACpuOrNot() {
        int more = Runtime.getRuntime().availableProcessors() + 1;
        Thread[] busy = new Thread[more];
        for (int i = 0; i < more; i++) {
            busy[i] = start(Thread::onSpinWait);
        }
        int sleeping = 0;
        for (int sample = 0; sample < 300; sample++) {
            for (Thread thread : busy) {
                sleeping += kernel.at(thread).sleeping() ? 1 : 0;
            }
            LockSupport.parkNanos(1_000_000);
        }

        // the first sample of a thread knows nothing yet, and a safepoint is a sleep
        assertThat(sleeping).isLessThan(300 * more / 20);
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
                            while (!done.get()) {
                                step.run();
                            }
                        });
    }
}
