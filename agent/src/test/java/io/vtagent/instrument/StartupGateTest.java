package io.vtagent.instrument;

import static java.util.concurrent.TimeUnit.HOURS;
import static java.util.concurrent.TimeUnit.MILLISECONDS;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class StartupGateTest {
    private final StartupGate first = new StartupGate(HOURS.toNanos(1));
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(1), 1, Buckets.SINGLE);

    @Test
    void aThreadThatMakesACarrierWaitsUntilTheAgentHasBegun() throws InterruptedException {
        Thread maker = Thread.ofPlatform().daemon().start(first::onCarrierMade);
        await().until(() -> maker.getState() == Thread.State.TIMED_WAITING);

        first.begun();

        maker.join();
        assertThat(first.isBegun()).isTrue();
        assertThat(first.observing()).isNull();
        first.onCarrierMade(); // returns at once
    }

    @Test
    void aThreadThatMakesACarrierWaitsOnlyForTheHooks() throws InterruptedException {
        Thread maker = Thread.ofPlatform().daemon().start(first::onCarrierMade);
        await().until(() -> maker.getState() == Thread.State.TIMED_WAITING);

        first.observedBy(ledger);

        maker.join();
        assertThat(first.isBegun()).isFalse();
        assertThat(first.observing()).isSameAs(ledger);
    }

    @Test
    void aThreadThatStartsTheRestWaitsForTheHooksToo() throws InterruptedException {
        Thread starting =
                Thread.ofPlatform().daemon().start(() -> first.awaitHooks(HOURS.toNanos(1)));
        await().until(() -> starting.getState() == Thread.State.TIMED_WAITING);

        first.observedBy(ledger);

        starting.join();
    }

    @Test
    void itsInterruptionIsKeptForIt() throws InterruptedException {
        AtomicBoolean kept = new AtomicBoolean();
        Thread maker =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    first.onCarrierMade();
                                    kept.set(Thread.currentThread().isInterrupted());
                                });
        await().until(() -> maker.getState() == Thread.State.TIMED_WAITING);
        maker.interrupt();
        await().until(() -> !maker.isInterrupted());
        assertThat(maker.isAlive()).isTrue();

        first.begun();

        maker.join();
        assertThat(kept).isTrue();
    }

    @Test
    void theAgentItselfDoesNotWait() {
        assertThat(
                        AgentThread.join(
                                AgentThread.start("vt-agent-test", first::onCarrierMade),
                                Long.MAX_VALUE))
                .isTrue();
    }

    @Test
    void nobodyWaitsForeverAndThatIsKnown() {
        StartupGate hopeless = new StartupGate(1);
        assertThat(hopeless.hasTimedOut()).isFalse();

        hopeless.onCarrierMade(); // returns

        assertThat(hopeless.hasTimedOut()).isTrue();
        first.begun();
        first.onCarrierMade();
        assertThat(first.hasTimedOut()).isFalse();
    }

    @Test
    void whereHooksAreCalledBeforeItHasBegunTheirLedgerMakesThreadsWaitToo() {
        StartupGate hopeless = new StartupGate(1);
        ledger.startupGate(hopeless);

        ledger.hooks().onCarrierMade();

        assertThat(hopeless.hasTimedOut()).isTrue();
        assertThat(ledger.arrivals().hasArrived()).isTrue();
    }

    /** Before that the application waits for nothing, however long the agent takes. */
    @Test
    void theTimeCountsFromTheFirstOneThatWaits() {
        StartupGate patient = new StartupGate(MILLISECONDS.toNanos(200));
        LockSupport.parkNanos(MILLISECONDS.toNanos(250));
        long beganNanos = System.nanoTime();

        patient.onCarrierMade();

        assertThat(System.nanoTime() - beganNanos)
                .isGreaterThanOrEqualTo(MILLISECONDS.toNanos(200));
    }
}
