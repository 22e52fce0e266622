package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import io.vtagent.scheduler.CarrierPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LostThreadsTest {
    private final ForgetfulPool scheduler = new ForgetfulPool();
    private final CarrierPool pool = OwnPool.seen(scheduler);
    private final LostThreads lost = new LostThreads(pool);
    private final CountDownLatch end = new CountDownLatch(1);
    private final List<Thread> started = new ArrayList<>();

    LostThreadsTest() throws ReflectiveOperationException {}

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        scheduler.remember();
        for (Thread thread : started) {
            thread.join();
        }
        scheduler.shutdown();
    }

    @Test
    void aReadyThreadInNoQueueIsLost() {
        Thread forgotten = forgotten();

        assertThat(lost.among(List.of(forgotten), inAMinute())).containsExactly(forgotten);
    }

    @Test
    void aThreadThatIsQueuedOrRunsOrWaitsForSomethingElseIsNot() throws InterruptedException {
        Thread spinning = spinning();
        Thread queued = start(OwnPool.unstarted(scheduler, () -> {}));
        Thread unstarted = OwnPool.unstarted(scheduler, () -> {});

        assertThat(lost.among(List.of(spinning, queued, unstarted), inAMinute())).isEmpty();
    }

    @Test
    void aThreadOfAnotherSchedulerIsNot() throws ReflectiveOperationException {
        ForgetfulPool other = new ForgetfulPool();
        try {
            Thread forgotten = forgotten();
            assertThat(new LostThreads(OwnPool.seen(other)).among(List.of(forgotten), inAMinute()))
                    .isEmpty();
        } finally {
            other.shutdown();
        }
    }

    /** It may have taken the thread from a queue. */
    @Test
    void whileACarrierRunsSomethingElseNoThreadIsKnownToBeLost() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        scheduler.execute(() -> spin(begun));
        begun.await();

        assertThat(lost.among(List.of(forgotten()), inAMinute())).isEmpty();
    }

    @Test
    void whereThereIsNoTimeForAllSamplesNoThreadIsKnownToBeLost() {
        List<Thread> forgotten = List.of(forgotten());

        assertThat(lost.among(forgotten, System.nanoTime() + TimeUnit.MILLISECONDS.toNanos(200)))
                .isEmpty();
    }

    private Thread forgotten() {
        scheduler.forget();
        return start(OwnPool.unstarted(scheduler, () -> {}));
    }

    private Thread spinning() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread spinning = start(OwnPool.unstarted(scheduler, () -> spin(begun)));
        begun.await();
        return spinning;
    }

    private void spin(CountDownLatch begun) {
        begun.countDown();
        while (end.getCount() > 0) {
            Thread.onSpinWait();
        }
    }

    private Thread start(Thread thread) {
        started.add(thread);
        thread.start();
        return thread;
    }

    private static long inAMinute() {
        return System.nanoTime() + TimeUnit.MINUTES.toNanos(1);
    }
}
