package io.vtagent.outlet;

import io.vtagent.log.AgentLog;
import io.vtagent.record.EndedPin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinListener;
import io.vtagent.record.PinReason;
import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.vm.PinEvents;
import io.vtagent.vm.PinnedStack;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import org.jspecify.annotations.Nullable;

/** Pins as events {@code io.vtagent.Pin} in the recordings that others make with JFR. */
final class JfrEvents implements Outlet, PinListener {
    private static final String NO_JFR =
            "jfr-events stays off: this JVM runs without the module jdk.jfr, expected it or" + " --add-modules jdk.jfr";

    /** A pin that was noticed from outside is told within a second; of more than this the rest is not. */
    private static final int MOST_WAITING = 10_000;

    private final Ledger ledger;

    /** Who notices from outside may be the thread that takes the events of the JVM, whose own JFR does not record. */
    private final Queue<EndedPin> fromOutside = new ArrayBlockingQueue<>(MOST_WAITING);

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
            rehearse();
            ledger.tell(this);
        } else {
            ledger.tellNoMore(this);
        }
    }

    /** Loads what a hook needs. */
    private static void rehearse() {
        Thread thread = Thread.currentThread();
        EndedPin madeUp = new EndedPin(PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true);
        PinSite unused = madeUp.siteKey();
        int unusedToo = frames(madeUp);
    }

    @Override
    public void tell(PinReport report) {
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

    /** Frames from {@link #commit} up to the application's, or the JDK's, that has called the hook. */
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
