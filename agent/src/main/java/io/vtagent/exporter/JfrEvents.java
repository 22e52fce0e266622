package io.vtagent.exporter;

import io.vtagent.jfr.PinEvents;
import io.vtagent.ledger.Ledger;
import io.vtagent.log.AgentLog;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.site.PinnedStack;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Writes pins as JFR events {@code io.vtagent.Pin} to the recordings that users make. */
final class JfrEvents implements Exporter, PinListener {
    private static final String NO_JFR =
            "jfr-events stays off: this JVM runs without the module jdk.jfr, expected it or"
                    + " --add-modules jdk.jfr";

    /**
     * The most sampled pins to keep. They are written within a second; further ones are dropped.
     */
    private static final int MAX_WAITING = 10_000;

    private final Ledger ledger;

    /**
     * Sampled pins that are not yet written. They may be found by the thread that consumes the
     * JVM's JFR events, and JFR does not record that thread's own events.
     */
    private final Queue<EndedPin> fromOutside = new ArrayBlockingQueue<>(MAX_WAITING);

    private @Nullable PinEvents events;

    JfrEvents(Ledger ledger) {
        this.ledger = ledger;
    }

    @Override
    public @Nullable String failure() {
        return ModuleLayer.boot().findModule("jdk.jfr").isPresent() ? null : NO_JFR;
    }

    @Override
    public void begin() {
        try {
            if (events == null) {
                events = new PinEvents(this::recorded);
            }
            events.open();
        } catch (LinkageError missing) {
            AgentLog.error(NO_JFR);
            AgentLog.debug("the cause:", missing);
        }
    }

    private void recorded(boolean somebodyRecords) {
        if (somebodyRecords) {
            warmUp();
            ledger.addListener(this);
        } else {
            ledger.removeListener(this);
        }
    }

    /** Warms up the code that a hook runs. */
    private static void warmUp() {
        Thread thread = Thread.currentThread();
        EndedPin synthetic =
                new EndedPin(PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true);
        PinSite unused = synthetic.siteKey();
        int unusedToo = frames(synthetic);
    }

    @Override
    public void publish(PinReport report) {
        if (events != null) {
            events.adjust();
        }
        for (EndedPin next = fromOutside.poll(); next != null; next = fromOutside.poll()) {
            commit(next, PinEvents.NO_STACK);
        }
    }

    @Override
    public void ended(EndedPin pin) {
        if (pin.onItsThread()) {
            commit(pin, frames(pin));
        } else {
            boolean unused = fromOutside.offer(pin);
        }
    }

    private void commit(EndedPin pin, int agentFrames) {
        PinEvents open = events;
        if (open == null) {
            return;
        }
        PinSite site = pin.siteKey();
        PinnedStack stack = pin.site() == null ? null : pin.site().stack();
        open.commit(
                new PinEvents.Pin(
                        site.site(),
                        site.caller(),
                        site.operation(),
                        pin.kind().label(),
                        pin.reason().label(),
                        stack == null ? null : stack.monitorClass(),
                        pin.compensated(),
                        pin.nanos(),
                        pin.endedAtNanos(),
                        pin.thread(),
                        pin.threadId(),
                        !pin.onItsThread()),
                agentFrames);
    }

    /**
     * Returns the number of frames between {@link #commit} and the frame of the application or the
     * JDK that called the hook.
     */
    private static int frames(EndedPin pin) {
        return switch (pin.kind()) {
            case WAIT -> 6;
            case ENTER, IO -> 8;
            default -> 7;
        };
    }

    @Override
    public void end() {
        if (events != null) {
            events.close();
        }
    }
}
