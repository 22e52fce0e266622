package io.vtagent.scheduler;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class OwnSchedulerTest {
    private final OwnScheduler scheduler = new OwnScheduler();
    private final Object monitor = new Object();
    private final AtomicReference<Thread> started = new AtomicReference<>();

    private Thread started() {
        return requireNonNull(started.get());
    }

    @AfterEach
    void close() {
        scheduler.close();
    }

    @Test
    void aTaskRunsOnAVirtualThreadWhoseCarrierIsTheAgents() {
        AtomicReference<Thread> carrier = new AtomicReference<>();
        scheduler
                .start(
                        () -> {
                            started.set(Thread.currentThread());
                            carrier.set(currentCarrier());
                        })
                .join();

        Thread its = requireNonNull(carrier.get());
        assertThat(started().isVirtual()).isTrue();
        assertThat(started().getName()).isEqualTo("vt-agent");
        assertThat(its.getName()).isEqualTo("vt-agent-carrier");
        assertThat(OwnScheduler.owns(its)).isTrue();
        assertThat(OwnScheduler.owns(Thread.currentThread())).isFalse();
    }

    @Test
    void aClosedSchedulersCarrierEnds() throws InterruptedException {
        AtomicReference<Thread> carrier = new AtomicReference<>();
        scheduler.start(() -> carrier.set(currentCarrier())).join();

        scheduler.close();

        Thread ended = requireNonNull(carrier.get());
        ended.join();
        assertThat(ended.isAlive()).isFalse();
    }

    private static Thread currentCarrier() {
        return new CarrierLocal<Thread>() {
            @Override
            protected Thread create(Thread carrier) {
                return carrier;
            }
        }.get();
    }

    @Test
    void whatATaskThrowsIsThrownToTheThreadThatJoinsIt() {
        IllegalArgumentException cause = new IllegalArgumentException("of the task");
        OwnScheduler.Trial trial =
                scheduler.start(
                        () -> {
                            throw cause;
                        });

        assertThatThrownBy(trial::join)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("of the task")
                .hasCause(cause);
    }

    @Test
    void aThreadIsAwaitedUntilItParksAndGoesOnWhenItIsUnparked() {
        AtomicBoolean over = new AtomicBoolean();
        OwnScheduler.Trial trial =
                scheduler.start(
                        () -> {
                            started.set(Thread.currentThread());
                            while (!over.get()) {
                                LockSupport.park();
                            }
                        });

        trial.await(Thread.State.WAITING);
        assertThat(started().getState()).isEqualTo(Thread.State.WAITING);

        over.set(true);
        trial.unpark();
        trial.join();
        assertThat(started().isAlive()).isFalse();
    }

    @Test
    void aThreadThatHasEndedIsNotAwaited() {
        OwnScheduler.Trial trial = scheduler.start(() -> started.set(Thread.currentThread()));

        trial.await(Thread.State.WAITING);

        assertThat(started().isAlive()).isFalse();
    }

    @Test
    void aContendedMonitorIsHeldForTwoMillisecondsMore() {
        List<Thread.State> whileContended = new ArrayList<>();
        AtomicLong contendedAtNanos = new AtomicLong();
        AtomicLong enteredAtNanos = new AtomicLong();

        scheduler.contend(
                monitor,
                () -> {
                    started.set(Thread.currentThread());
                    synchronized (monitor) {
                        enteredAtNanos.set(System.nanoTime());
                    }
                },
                () -> {
                    whileContended.add(started().getState());
                    contendedAtNanos.set(System.nanoTime());
                });

        assertThat(whileContended).containsExactly(Thread.State.BLOCKED);
        assertThat(started().isAlive()).isFalse();
        assertThat(enteredAtNanos.get() - contendedAtNanos.get()).isGreaterThanOrEqualTo(2_000_000);
    }

    @Test
    void aThreadWaitsOnTheMonitorWhileTheCurrentOneDoesSomething()
            throws ReflectiveOperationException {
        LiveThreads live = LiveThreads.ofThisJvm();
        List<Thread> waiting = new ArrayList<>();

        scheduler.waitOn(
                monitor,
                () -> {
                    boolean unused =
                            live.forEach(
                                    (thread, container) -> {
                                        if (thread.getName().equals("vt-agent")
                                                && thread.getState() == Thread.State.WAITING) {
                                            waiting.add(thread);
                                        }
                                        return true;
                                    });
                });

        assertThat(waiting).hasSize(1);
        assertThat(waiting.getFirst().isAlive()).isFalse();
    }
}
