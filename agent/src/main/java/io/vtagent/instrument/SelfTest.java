package io.vtagent.instrument;

import io.vtagent.log.AgentLog;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.probe.VtAgentSensor;
import io.vtagent.record.ActivePin;
import io.vtagent.record.Buckets;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.vm.VirtualThreads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Holds the carrier of a throw-away virtual thread in each way that a sensor must notice. The sensors report to a ledger of the
 * test's own while it runs, so none of it is counted.
 *
 * <p>Each test blocks until this thread, a platform thread, has seen the pin in progress and ends it.
 */
final class SelfTest {
    /** The prefix of the one class of the agent whose monitors are wrapped. */
    static final String WRAPPED = "io/vtagent/instrument/ContendedEntry";

    static final Object MONITOR = new Object();

    private static final long LIMIT_NANOS = 1_000_000_000L;
    private static final long POLL_NANOS = 50_000L;

    private final Ledger ledger;
    private volatile boolean released;

    /** @param monitorsPin what {@link #monitorsPin} found out */
    SelfTest(boolean monitorsPin) {
        ledger = new Ledger(monitorsPin, Long.MAX_VALUE, 1, 1, Buckets.SINGLE);
    }

    /**
     * Whether a virtual thread that holds a monitor cannot unmount in this JVM. It tries to yield with one, and if it cannot, the
     * JVM says why. Needs the hook that hears it.
     */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is the question
    static boolean monitorsPin() {
        AtomicBoolean pinned = new AtomicBoolean();
        VtAgentProbe.report(new VtAgentSensor() {
            @Override
            public void yieldFailed(String why) {
                pinned.set(why.equals("MONITOR"));
            }
        });
        try {
            join(Thread.ofVirtual().name(VirtualThreads.SELF_TEST).start(() -> {
                synchronized (MONITOR) {
                    Thread.yield();
                }
            }));
        } finally {
            VtAgentProbe.report(null);
        }
        return pinned.get();
    }

    /** Why {@code sensor} does not work, or null if it does. */
    @Nullable
    String run(Sensor sensor) {
        VtAgentProbe.report(ledger);
        try {
            return switch (sensor) {
                case PARK -> failure(PinKind.PARK, this::parkPinned);
                case WAIT -> failure(PinKind.WAIT, WaitInInitializer::await);
                case ENTER -> failureOfEntry();
                case IO -> failure(PinKind.IO, this::blockBracketed);
            };
        } finally {
            VtAgentProbe.report(null);
        }
    }

    private @Nullable String failureOfEntry() {
        ContendedEntry.load();
        synchronized (MONITOR) {
            Thread thread = Thread.ofVirtual().name(VirtualThreads.SELF_TEST).start(ContendedEntry::enter);
            return awaitActive(PinKind.ENTER) && thread.isAlive() ? null : "a contended entry was not noticed";
        }
    }

    private @Nullable String failure(PinKind kind, Runnable block) {
        released = false;
        Thread thread = Thread.ofVirtual().name(VirtualThreads.SELF_TEST).start(block);
        boolean seen = awaitActive(kind);
        released = true;
        LockSupport.unpark(thread);
        WaitInInitializer.end();
        join(thread);
        if (!seen) {
            return "a pin in progress was not noticed";
        }
        boolean recorded = ledger.totals().byKey().keySet().stream().anyMatch(key -> key.kind() == kind);
        return recorded ? null : "a pin that ended was not noticed";
    }

    private void parkPinned() {
        VirtualThreads.pin();
        try {
            while (!released) {
                LockSupport.park();
            }
        } finally {
            VirtualThreads.unpin();
        }
    }

    private void blockBracketed() {
        try {
            VirtualThreads.runBracketed(() -> {
                while (!released) {
                    Thread.onSpinWait(); // to park here would unmount
                }
            });
        } catch (ReflectiveOperationException missing) {
            AgentLog.debug("Blocker is not what it was", missing);
        }
    }

    private boolean awaitActive(PinKind kind) {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < LIMIT_NANOS) {
            for (ActivePin pin : ledger.active()) {
                if (pin.kind() == kind) {
                    return true;
                }
            }
            LockSupport.parkNanos(POLL_NANOS);
        }
        return false;
    }

    private static void join(Thread thread) {
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException later) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
