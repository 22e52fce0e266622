package io.vtagent.hook;

import io.vtagent.jvm.StackHeadroom;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinnedThread;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The listeners that are notified of single pins. Usually there are none, and then a pin costs one
 * check. Thread-safe.
 */
public final class PinListeners {
    private static final PinListener[] NOBODY = {};

    private volatile PinListener[] all = NOBODY;
    private volatile PinListener[] knowingOwners = NOBODY;

    public synchronized void add(PinListener listener) {
        List<PinListener> more = new ArrayList<>(List.of(all));
        more.add(listener);
        become(more);
    }

    public synchronized void remove(PinListener listener) {
        List<PinListener> fewer = new ArrayList<>(List.of(all));
        fewer.remove(listener);
        become(fewer);
    }

    private void become(List<PinListener> listeners) {
        List<PinListener> knowing = new ArrayList<>();
        for (PinListener listener : listeners) {
            if (listener.knowsOwners()) {
                knowing.add(listener);
            }
        }
        PinListener[] allNow = array(listeners);
        PinListener[] knowingNow = array(knowing);
        all = allNow;
        knowingOwners = knowingNow;
    }

    private static PinListener[] array(List<PinListener> listeners) {
        return listeners.isEmpty() ? NOBODY : listeners.toArray(NOBODY);
    }

    /**
     * Notifies the listeners that the last interval of {@code slot} has ended. Called on the
     * current virtual thread, which is still on its carrier. The thread stays there, and what it
     * does is not recorded, until all listeners have been notified.
     */
    public void onPinEnded(
            CarrierSlot slot, long durationNanos, PinReason reason, @Nullable Site site) {
        PinListener[] listeners = all;
        if (listeners == NOBODY || slot.isAgents() || slot.recording) {
            return;
        }
        try {
            StackHeadroom.claim();
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return;
        }
        slot.recording = true;
        try {
            Thread thread = Thread.currentThread();
            EndedPin pin =
                    new EndedPin(
                            slot.interval().kind(),
                            reason,
                            slot.interval().isCompensated(),
                            site,
                            durationNanos,
                            System.nanoTime(),
                            thread,
                            thread.threadId(),
                            true);
            for (PinListener listener : listeners) {
                listener.ended(pin);
            }
        } catch (Throwable failure) {
            // it has been counted
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
    }

    /**
     * Returns the owner of the pin that begins on {@code slot}, on the current virtual thread, or
     * null if no listener knows one.
     */
    @Nullable Object ownerOf(CarrierSlot slot) {
        PinListener[] asked = knowingOwners;
        if (asked == NOBODY || slot.isAgents() || slot.recording) {
            return null;
        }
        try {
            StackHeadroom.claim();
            VirtualThreads.pin();
        } catch (Throwable nearTheEndOfTheStack) {
            return null;
        }
        slot.recording = true;
        Object owner = null;
        try {
            for (int i = 0; i < asked.length && owner == null; i++) {
                owner = asked[i].owner();
            }
        } catch (Throwable unknown) {
            // it has no owner
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
        return owner;
    }

    /**
     * Notifies the listeners of a pin found by the sampler or JFR. Called on a thread of the agent.
     */
    public void onPinEnded(
            PinKind kind,
            PinReason reason,
            long durationNanos,
            @Nullable Site site,
            PinnedThread pinned) {
        PinListener[] listeners = all;
        if (listeners == NOBODY) {
            return;
        }
        try {
            EndedPin pin =
                    new EndedPin(
                            kind,
                            reason,
                            false,
                            site,
                            durationNanos,
                            pinned.untilNanos(),
                            pinned.thread(),
                            pinned.threadId(),
                            false);
            for (PinListener listener : listeners) {
                listener.ended(pin);
            }
        } catch (Throwable failure) {
            // it has been counted
        }
    }
}
