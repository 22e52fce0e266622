package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OpenFiles;
import io.vtagent.kernel.KernelThreads.Sample;
import java.io.IOException;
import java.lang.management.ThreadMXBean;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

@Timeout(
        value = 30,
        threadMode =
                Timeout.ThreadMode.SEPARATE_THREAD) // an interrupt would not end a loop that parks
class KernelThreadsTest {
    @TempDir private Path directory;
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

    /** A thread whose CPU time and whose file of the kernel's a test sets. */
    private final class Made {
        private final AtomicLong cpuNanos = new AtomicLong();
        private final Thread thread = Thread.currentThread();
        private final Path file;
        private final KernelThreads kernel;

        Made() throws IOException {
            file = directory.resolve(ThreadSchedStat.idOf(thread) + "/status");
            Files.createDirectories(file.getParent());
            ThreadMXBean times =
                    (ThreadMXBean)
                            Proxy.newProxyInstance(
                                    ThreadMXBean.class.getClassLoader(),
                                    new Class<?>[] {ThreadMXBean.class},
                                    (proxy, method, arguments) -> cpuNanos.get());
            kernel = new KernelThreads(times, directory.toFile());
        }

        void status(String state, int preemptions) throws IOException {
            Files.writeString(file, KernelThreadsTest.status(state, preemptions));
        }
    }

    @Test
    void aThreadThatHasNotRunSinceItWasSleepingIsInTheSameSleep() throws IOException {
        Made made = new Made();
        made.status("S (sleeping)", 3);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(true, 0));

        made.status("R (running)", 4);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(true, 0));
        made.cpuNanos.set(9);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(false, 9));
    }

    @Test
    void aThreadInTheRunQueueIsNotSleepingUntilItHasRun() throws IOException {
        Made made = new Made();
        made.status("R (running)", 3);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(false, 0));

        made.status("S (sleeping)", 3);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(false, 0));
        made.cpuNanos.set(9);
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(true, 9));
    }

    @Test
    void aThreadWhoseCpuTimeIsNotKnownIsNotSleeping() throws IOException {
        Made made = new Made();
        made.status("S (sleeping)", 3);
        made.cpuNanos.set(-1);

        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(false, -1));
        assertThat(made.kernel.at(made.thread)).isEqualTo(new Sample(false, -1));
    }

    @Test
    void aSleepIsIdentifiedByTheCpuTimeThatTheThreadHasUsed() throws IOException {
        Made made = new Made();
        made.cpuNanos.set(4_711);

        assertThat(made.kernel.sleepId(made.thread)).isEqualTo(4_711);
    }

    @Test
    void theElapsedTimeTakesThePlaceOfACpuTimeThatIsNotKnown() throws IOException {
        Made made = new Made();
        made.cpuNanos.set(5);
        assertThat(made.kernel.usedNanos()).isEqualTo(5);
        made.cpuNanos.set(0);
        assertThat(made.kernel.usedNanos()).isZero();

        made.cpuNanos.set(-1);
        long beforeNanos = System.nanoTime();
        long usedNanos = made.kernel.usedNanos() - beforeNanos;
        assertThat(usedNanos).isBetween(0L, System.nanoTime() - beforeNanos);
    }

    @Test
    void aThreadInTheRunQueueDoesNotSleepInTheKernel() throws IOException {
        Made made = new Made();
        made.status("R (running)", 3);
        assertThat(made.kernel.sleeps(made.thread)).isFalse();
        assertThat(made.kernel.isRunnable(made.thread)).isTrue();

        made.status("D (disk sleep)", 3);
        assertThat(made.kernel.sleeps(made.thread)).isTrue();
        assertThat(made.kernel.isRunnable(made.thread)).isFalse();
    }

    @Test
    void theFileOfAThreadStaysOpenUntilAllAreClosed() throws IOException {
        Made made = new Made();
        made.status("S (sleeping)", 3);
        assertThat(made.kernel.sleeps(made.thread)).isTrue();
        String path = made.file.toRealPath().toString();
        assertThat(OpenFiles.list()).contains(path);

        made.kernel.close();

        assertThat(OpenFiles.list()).doesNotContain(path);
    }

    @Test
    void theFileOfAThreadThatHasEndedIsClosed() throws IOException, InterruptedException {
        Thread parked = start(LockSupport::park);
        String task = "/task/" + ThreadSchedStat.idOf(parked);
        await(() -> kernel.sleeps(parked));
        assertThat(OpenFiles.list()).anyMatch(file -> file.contains(task + "/status"));

        done.set(true);
        LockSupport.unpark(parked);
        parked.join();
        await(() -> !Files.exists(Path.of("/proc/self" + task)));

        assertThat(kernel.sleeps(parked)).isFalse();
        assertThat(OpenFiles.list()).noneMatch(file -> file.contains(task + "/status"));
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
