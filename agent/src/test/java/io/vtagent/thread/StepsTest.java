package io.vtagent.thread;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StepsTest {
    private static final int BLOCKED_MILLIS = 200;
    private static final int MILLION = 1_000_000;

    private final Steps steps = new Steps(BLOCKED_MILLIS, 10 * BLOCKED_MILLIS);
    private volatile boolean over;

    @AfterEach
    void end() {
        over = true;
    }

    private Thread taker(Runnable task) {
        Thread thread = new Thread(task);
        thread.setDaemon(true);
        thread.start();
        return thread;
    }

    private void spin(long nanos) {
        long beganNanos = System.nanoTime();
        while (!over && System.nanoTime() - beganNanos < nanos) {
            Thread.onSpinWait();
        }
    }

    private void block(long nanos) {
        long beganNanos = System.nanoTime();
        while (!over && System.nanoTime() - beganNanos < nanos) {
            LockSupport.parkNanos(nanos);
        }
    }

    @Test
    void aStepThatIsOnlySlowIsWaitedFor() {
        Thread taker =
                taker(
                        () -> {
                            spin(3L * BLOCKED_MILLIS * MILLION);
                            steps.end();
                        });
        assertThat(steps.await(taker)).isNull();
        assertThat(steps.isAbandoned()).isFalse();
    }

    @Test
    void aThreadThatWaitsForSomethingInEachStepGetsOn() {
        Thread taker =
                taker(
                        () -> {
                            for (int i = 0; i < 6; i++) {
                                steps.begin("step " + i);
                                block(BLOCKED_MILLIS * MILLION / 3);
                            }
                            steps.end();
                        });
        assertThat(steps.await(taker)).isNull();
    }

    @Test
    void aStepThatIsBlockedIsNotWaitedForAndNamed() {
        long beganNanos = System.nanoTime();
        Thread taker =
                taker(
                        () -> {
                            steps.begin("the third");
                            block(Long.MAX_VALUE);
                        });
        assertThat(steps.await(taker)).isEqualTo("the third");
        assertThat(System.nanoTime() - beganNanos).isGreaterThan((long) BLOCKED_MILLIS * MILLION);
        assertThat(steps.isAbandoned()).isTrue();
        steps.end();
        assertThat(steps.isAbandoned()).as("for good").isTrue();
    }

    @Test
    void nobodyWaitsWithoutAnEndThoughItGoesOn() {
        Thread taker =
                taker(
                        () -> {
                            steps.begin("the endless one");
                            spin(Long.MAX_VALUE);
                        });
        assertThat(steps.await(taker)).isEqualTo("the endless one");
    }

    @Test
    void anInterruptedThreadWaitsAllTheSameAndStaysInterrupted() {
        Thread.currentThread().interrupt();
        Thread taker =
                taker(
                        () -> {
                            block(BLOCKED_MILLIS * MILLION / 4);
                            steps.end();
                        });
        assertThat(steps.await(taker)).isNull();
        assertThat(Thread.interrupted()).isTrue();
    }
}
