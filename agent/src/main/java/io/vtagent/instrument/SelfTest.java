package io.vtagent.instrument;

import io.vtagent.log.AgentLog;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Sensors;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.OwnScheduler;
import io.vtagent.vm.VirtualThreads;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.locks.LockSupport;

/**
 * Holds a carrier in each way that a sensor must notice, on a throw-away virtual thread of the agent's own scheduler, so that it
 * needs none of the application's carriers and none of it is counted. A test comes to its end by itself and only then says whether the
 * sensor has noticed it: on a busy machine that is late, and never wrong.
 */
public final class SelfTest {
    /** The prefix of the one class of the agent whose monitors are wrapped. */
    static final String WRAPPED = "io/vtagent/instrument/ContendedEntry";

    static final Object MONITOR = new Object();

    private static final String NOT_TOLD =
            "which of the monitors that were contended before are free is not told: their entries are timed like those of contended ones";

    private static final long LONGEST_PROBE_NANOS = 30_000_000_000L;
    private static final long POLL_NANOS = 100_000;

    private final Ledger ledger;
    private final OwnScheduler scheduler;
    private final boolean looksTell;

    private SelfTest(Ledger ledger, OwnScheduler scheduler, boolean looksTell) {
        this.ledger = ledger;
        this.scheduler = scheduler;
        this.looksTell = looksTell;
    }

    /**
     * Whether a virtual thread that holds a monitor cannot unmount in this JVM. It tries to yield with one, and if it cannot, the
     * JVM says why. Needs the hook that hears it, while which nobody else may be told.
     *
     * @throws IllegalStateException if there is no answer, since no thread can be started or gets a processor
     */
    @SuppressWarnings("ThreadPriorityCheck") // the yield is the question
    static boolean monitorsPin() {
        AtomicBoolean pinned = new AtomicBoolean();
        VtAgentProbe.report(new VtAgentProbe() {
            @Override
            public void onYieldFailed(String why) {
                if (why.equals("MONITOR")) { // whosever it was: the application's threads may run
                    pinned.set(true);
                }
            }
        });
        try (OwnScheduler scheduler = new OwnScheduler()) {
            Thread thread = scheduler.start(() -> {
                synchronized (MONITOR) {
                    Thread.yield();
                }
            });
            if (!AgentThread.join(thread, LONGEST_PROBE_NANOS)) {
                throw new IllegalStateException("a virtual thread that was started has not run");
            }
        } finally {
            VtAgentProbe.report(null);
        }
        return pinned.get();
    }

    /**
     * Gets {@code ledger} ready, has the probe tell it, and tests those of the {@code sensors} that are yet to be proved. Takes as
     * long as it takes: for a thread of the agent's own.
     *
     * @param looksTell whether looks at the carriers tell of pins that no sensor in the bytecode notices
     */
    public static void run(Ledger ledger, Sensors sensors, boolean looksTell) {
        try (OwnScheduler unheard = new OwnScheduler();
                OwnScheduler scheduler = new OwnScheduler()) {
            ledger.warmUp(unheard);
            if (AgentThread.isOver()) { // the agent was detached meanwhile
                return;
            }
            VtAgentProbe.report(ledger.hooks()); // from now on of the carriers of the other scheduler, too
            SelfTest test = new SelfTest(ledger, scheduler, looksTell);
            for (Sensor sensor : Sensor.values()) {
                if (sensors.isToBeProved(sensor.label())) {
                    sensors.put(sensor.label(), test.notices(sensor) ? "" : "a pin was not noticed");
                }
            }
        } catch (Throwable failure) {
            AgentLog.debug("the cause:", failure);
            for (Sensor sensor : Sensor.values()) {
                if (sensors.isToBeProved(sensor.label())) {
                    sensors.put(sensor.label(), failure.toString());
                }
            }
        }
    }

    private boolean notices(Sensor sensor) {
        PinKind kind =
                switch (sensor) {
                    case PARK -> parkPinned();
                    case WAIT -> ended(PinKind.WAIT, WaitInInitializer::await);
                    case IO -> ended(PinKind.IO, SelfTest::blockBracketed);
                    case ENTER -> enterContended();
                };
        return ledger.kindsOnOwnCarriers().contains(kind);
    }

    private PinKind ended(PinKind kind, Runnable block) {
        AgentThread.join(scheduler.start(block), Long.MAX_VALUE);
        return kind;
    }

    /** Not for a limited time: for that the JDK would start a thread that the application may not have. */
    private PinKind parkPinned() {
        Thread thread = scheduler.start(() -> {
            VirtualThreads.pin();
            try {
                LockSupport.park();
            } finally {
                VirtualThreads.unpin();
            }
        });
        while (thread.isAlive()) {
            if (thread.getState() == Thread.State.WAITING) {
                LockSupport.unpark(thread);
            }
            AgentThread.pause(POLL_NANOS);
        }
        return PinKind.PARK;
    }

    private static void blockBracketed() {
        try {
            VirtualThreads.runBracketed(Thread::onSpinWait);
        } catch (ReflectiveOperationException missing) {
            AgentLog.debug("Blocker is not what it was", missing);
        }
    }

    private PinKind enterContended() {
        ContendedEntry.load();
        FreeMonitors free = new FreeMonitors();
        Runnable contend =
                () -> scheduler.contend(MONITOR, ContendedEntry::enter, () -> free.lookWhileContended(MONITOR));
        if (!ledger.contended().proveBy(contend)) {
            AgentLog.debug(
                    "this JVM does not tell how many entries of monitors had to wait: each one that might have is timed");
        }
        if (!looksTell || !free.areTold(MONITOR, scheduler)) {
            AgentLog.debug(NOT_TOLD);
        }
        return PinKind.ENTER;
    }
}
