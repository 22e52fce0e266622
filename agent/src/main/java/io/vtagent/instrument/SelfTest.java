package io.vtagent.instrument;

import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.pin.PinKind;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.OwnScheduler;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.thread.AgentThread;
import java.util.concurrent.atomic.AtomicBoolean;

/**
 * Holds a carrier in each way that a sensor must detect. It does so on a temporary virtual thread
 * of the agent's own scheduler, so it needs no carrier of the application and these pins are not
 * counted. A test ends by itself, and only then is it checked whether the sensor has detected it:
 * on a busy machine the result is late, but never wrong.
 */
public final class SelfTest {
    /** The prefix of the one class of the agent whose monitors are wrapped. */
    static final String WRAPPED = "io/vtagent/instrument/ContendedMonitorProbe";

    static final Object MONITOR = new Object();

    private static final String NOT_RECOGNIZED =
            "free monitors that were contended before are not recognized: entering them is timed"
                    + " as if they were contended";

    private final Ledger ledger;
    private final OwnScheduler scheduler;
    private final boolean samplerReportsPins;

    private SelfTest(Ledger ledger, OwnScheduler scheduler, boolean samplerReportsPins) {
        this.ledger = ledger;
        this.scheduler = scheduler;
        this.samplerReportsPins = samplerReportsPins;
    }

    /**
     * Warms up {@code ledger}, makes the probe report to it, opens {@code first}, and tests the
     * {@code sensors} that are not proved yet. Must be called on a thread of the agent, because its
     * duration is not limited.
     *
     * @param samplerReportsPins whether the sampler detects pins that no sensor in the bytecode
     *     detects
     */
    public static void run(
            Ledger ledger, StartupGate first, Sensors sensors, boolean samplerReportsPins) {
        try (OwnScheduler unobserved = new OwnScheduler();
                OwnScheduler scheduler = new OwnScheduler()) {
            ledger.warmUp(unobserved);
            if (AgentThread.isDetached()) { // the agent was detached meanwhile
                return;
            }
            VtAgentProbe.report(
                    ledger.hooks()); // from now on pins of the second scheduler are reported, too
            first.observedBy(ledger);
            SelfTest test = new SelfTest(ledger, scheduler, samplerReportsPins);
            for (Sensor sensor : Sensor.values()) {
                if (sensors.isToBeProved(sensor.label())) {
                    sensors.put(sensor.label(), test.failure(sensor));
                }
            }
        } catch (Throwable failure) {
            for (Sensor sensor : Sensor.values()) {
                if (sensors.isToBeProved(sensor.label())) {
                    sensors.put(sensor.label(), inWords(failure));
                }
            }
        }
    }

    /**
     * Returns why {@code sensor} does not work; empty if it does. If the test does not end in time,
     * the sensor remains to be proved.
     */
    private String failure(Sensor sensor) {
        try {
            return notices(sensor) ? "" : "the self-test's pin was not recorded";
        } catch (Throwable failure) {
            return inWords(failure);
        }
    }

    private static String inWords(Throwable failure) {
        AgentLog.debug("the cause:", failure);
        return failure instanceof OwnScheduler.LateException
                ? Sensors.NOT_PROVED_YET
                : failure.toString();
    }

    private boolean notices(Sensor sensor) throws ReflectiveOperationException {
        PinKind kind =
                switch (sensor) {
                    case PARK -> parkPinned();
                    case WAIT -> ended(PinKind.WAIT, WaitInInitializer::await);
                    case IO -> ended(PinKind.IO, VirtualThreads.bracketed(Thread::onSpinWait));
                    case ENTER -> enterContended();
                };
        return ledger.kindsOnOwnCarriers().contains(kind);
    }

    private PinKind ended(PinKind kind, Runnable block) {
        scheduler.start(block).join();
        return kind;
    }

    /**
     * Parks without a time limit: for a timed park the JDK would start a thread that the
     * application may not have.
     */
    private PinKind parkPinned() {
        AtomicBoolean parked = new AtomicBoolean();
        OwnScheduler.Trial trial =
                scheduler.start(
                        () -> {
                            while (!parked.get()) {
                                VirtualThreads.parkPinned();
                            }
                        });
        trial.await(Thread.State.WAITING);
        parked.set(true);
        trial.unpark();
        trial.join();
        return PinKind.PARK;
    }

    private PinKind enterContended() {
        ContendedMonitorProbe.load();
        FreeMonitors free = new FreeMonitors();
        Runnable contend =
                () ->
                        scheduler.contend(
                                MONITOR,
                                ContendedMonitorProbe::enter,
                                () -> free.verifyContended(MONITOR));
        if (!ledger.contended().proveBy(contend)) {
            AgentLog.debug(
                    "this JVM does not count contended monitor entries: each entry that may have"
                            + " waited is timed");
        }
        if (!samplerReportsPins || !free.verifyFree(MONITOR, scheduler)) {
            AgentLog.debug(NOT_RECOGNIZED);
        }
        return PinKind.ENTER;
    }
}
