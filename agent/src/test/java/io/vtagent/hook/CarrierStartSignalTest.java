package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

class CarrierStartSignalTest {
    private static final long NO_LIMIT = Long.MAX_VALUE;

    private final CarrierStartSignal arrivals = new CarrierStartSignal();
    private final AtomicInteger asked = new AtomicInteger();
    private final AtomicBoolean there = new AtomicBoolean();

    @AfterEach
    void end() {
        there.set(true);
    }

    private boolean ask() {
        asked.incrementAndGet();
        return there.get();
    }

    @Test
    void asLongAsNoneWasReportedItAsks() {
        long beganNanos = System.nanoTime();
        long noneNanos = arrivals.await(() -> asked.incrementAndGet() > 5, NO_LIMIT);

        assertThat(arrivals.hasArrived()).isFalse();
        assertThat(asked).hasValue(6);
        assertThat(noneNanos - beganNanos)
                .isBetween(4_000_000L, System.nanoTime() - beganNanos - 1_000_000);
    }

    /** If it asked every half a second instead, that took minutes. */
    @Test
    @Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD)
    void aThreadThatWaitsIsWokenByEachThatIsMade() throws InterruptedException {
        arrivals.arrived();
        assertThat(arrivals.hasArrived()).isTrue();
        Thread waiting =
                Thread.ofPlatform().daemon().start(() -> arrivals.await(this::ask, NO_LIMIT));
        for (int i = 1; i <= 1_000; i++) {
            while (asked.get() < i) {
                Thread.onSpinWait();
            }
            arrivals.arrived();
        }
        there.set(true);
        arrivals.arrived();
        waiting.join();
        assertThat(asked.get()).isGreaterThan(1_000);
    }

    @Test
    void untilTheFirstOneIsMadeThereAreNone() throws InterruptedException {
        arrivals.arrived();
        AtomicLong noneNanos = new AtomicLong();
        Thread waiting =
                Thread.ofPlatform()
                        .daemon()
                        .start(() -> noneNanos.set(arrivals.await(this::ask, NO_LIMIT)));
        while (waiting.getState() != Thread.State.TIMED_WAITING) {
            Thread.onSpinWait();
        }
        long beforeNanos = System.nanoTime();
        there.set(true);
        arrivals.arrived();
        long madeNanos = System.nanoTime();
        arrivals.arrived();
        waiting.join();

        // it may have read the clock between the two lines, but then it would have waited for half
        // a second
        assertThat(noneNanos.get()).isBetween(beforeNanos, madeNanos);
    }

    @Test
    void aWaitMayBeLimited() {
        arrivals.arrived();
        long noneNanos = arrivals.await(this::ask, 1_000_000);

        assertThat(System.nanoTime() - noneNanos).isGreaterThanOrEqualTo(1_000_000);
        assertThat(asked.get()).isBetween(2, 100);
    }

    /** Carriers can be made by the hundred. */
    @Test
    void aThreadThatDoesNotWaitAnyMoreIsNotWoken() throws InterruptedException {
        there.set(true);
        AtomicLong parkedNanos = new AtomicLong();
        Thread waited =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    arrivals.await(this::ask, NO_LIMIT);
                                    arrivals.arrived();
                                    long beganNanos = System.nanoTime();
                                    LockSupport.parkNanos(10_000_000);
                                    parkedNanos.set(System.nanoTime() - beganNanos);
                                });
        waited.join();
        assertThat(parkedNanos.get()).isGreaterThanOrEqualTo(10_000_000);
    }

    @Test
    void whatIsThereIsNotWaitedFor() {
        there.set(true);
        long beganNanos = System.nanoTime();

        assertThat(arrivals.await(this::ask, NO_LIMIT)).isBetween(beganNanos, System.nanoTime());
        assertThat(asked).hasValue(1);
    }

    /** Instead of asking without a pause. */
    @Test
    void anInterruptIsNothingToIt() throws InterruptedException {
        arrivals.arrived();
        Thread waiting =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    Thread.currentThread().interrupt();
                                    arrivals.await(this::ask, 100_000_000);
                                });
        waiting.join();
        assertThat(asked.get()).isBetween(2, 20);
    }
}
