package io.vtagent.thread;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;

class AgentThreadTest {
    private static final long PAUSE_NANOS = 50_000_000;

    @Test
    void whatEscapesItsTaskIsNotTheApplicationsBusiness() throws InterruptedException {
        AtomicReference<Throwable> reported = new AtomicReference<>();
        Thread.UncaughtExceptionHandler before = Thread.getDefaultUncaughtExceptionHandler();
        Thread.setDefaultUncaughtExceptionHandler((thread, failure) -> reported.set(failure));
        try {
            AgentThread.start(
                            "vt-agent-test",
                            () -> {
                                throw new OutOfMemoryError("a test's");
                            })
                    .join();
        } finally {
            Thread.setDefaultUncaughtExceptionHandler(before);
        }
        assertThat(reported.get()).isNull();
    }

    @Test
    void itIsAPlatformDaemonThatInheritsNothing() {
        InheritableThreadLocal<String> inherited = new InheritableThreadLocal<>();
        inherited.set("the application's");
        AtomicReference<String> seen = new AtomicReference<>();
        Thread thread = AgentThread.start("vt-agent-test", () -> seen.set(inherited.get()));
        assertThat(AgentThread.join(thread, Long.MAX_VALUE)).isTrue();

        assertThat(thread.isVirtual()).isFalse();
        assertThat(thread.isDaemon()).isTrue();
        assertThat(seen.get()).isNull();
    }

    @Test
    void itKnowsItselfFromOthers() {
        AtomicBoolean own = new AtomicBoolean();
        AgentThread.join(
                AgentThread.start("vt-agent-test", () -> own.set(AgentThread.isCurrent())),
                Long.MAX_VALUE);

        assertThat(own).isTrue();
        assertThat(AgentThread.isCurrent()).isFalse();
    }

    @Test
    void aPauseLastsAlsoIfSomebodyInterrupts() {
        Thread.currentThread().interrupt();
        long beganNanos = System.nanoTime();
        AgentThread.pause(PAUSE_NANOS);

        assertThat(System.nanoTime() - beganNanos).isGreaterThanOrEqualTo(PAUSE_NANOS);
        assertThat(Thread.interrupted()).isFalse();
    }

    /** Without memory, the allocations of a wait of the JDK's would make it last for ever. */
    @Test
    void toWaitTakesNoMemory() {
        ThreadMXBean threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        CountDownLatch never = new CountDownLatch(1);
        long unused = threads.getCurrentThreadAllocatedBytes();
        boolean warm = AgentThread.await(never, 1);

        long before = threads.getCurrentThreadAllocatedBytes();
        boolean ended = AgentThread.await(never, 3 * PAUSE_NANOS);
        assertThat(threads.getCurrentThreadAllocatedBytes() - before).isZero();
        assertThat(warm || ended).isFalse();
        AgentThread.countDown(never);
        assertThat(AgentThread.await(never, Long.MAX_VALUE)).isTrue();
    }

    @Test
    void nobodyWaitsLongerForAThreadThanWasReported() {
        CountDownLatch never = new CountDownLatch(1);
        Thread thread =
                AgentThread.start("vt-agent-test", () -> AgentThread.await(never, Long.MAX_VALUE));
        Thread.currentThread().interrupt();

        assertThat(AgentThread.join(thread, PAUSE_NANOS)).isFalse();
        never.countDown();
        assertThat(AgentThread.join(thread, Long.MAX_VALUE)).isTrue();
    }

    @Test
    void anInterruptDoesNotEndTheWaitForALatch() {
        CountDownLatch latch = new CountDownLatch(1);
        AtomicBoolean open = new AtomicBoolean();
        Thread thread =
                AgentThread.start(
                        "vt-agent-test", () -> open.set(AgentThread.await(latch, Long.MAX_VALUE)));
        thread.interrupt();
        latch.countDown();

        assertThat(AgentThread.join(thread, Long.MAX_VALUE)).isTrue();
        assertThat(open).isTrue();
        assertThat(AgentThread.await(new CountDownLatch(1), PAUSE_NANOS)).isFalse();
    }
}
