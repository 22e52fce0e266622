package io.vtagent.record;

import io.vtagent.vm.StackHeadroom;
import io.vtagent.vm.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Who is told of single pins: mostly nobody, for which a pin pays no more than a check. Thread-safe. */
final class PinListeners {
    private static final PinListener[] NOBODY = {};

    private volatile PinListener[] all = NOBODY;
    private volatile PinListener[] knowingOwners = NOBODY;

    synchronized void add(PinListener listener) {
        List<PinListener> more = new ArrayList<>(List.of(all));
        more.add(listener);
        become(more);
    }

    synchronized void remove(PinListener listener) {
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
     * The interval that {@code slot} had last has ended, on the current virtual thread, which is still on its carrier. It stays there, and
     * what it does is not recorded, until everybody has been told.
     */
    void tell(CarrierSlot slot, long durationNanos, PinReason reason, @Nullable Site site) {
        PinListener[] told = all;
        if (told == NOBODY || slot.isAgents() || slot.recording) {
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
            EndedPin pin = new EndedPin(
                    slot.interval().kind(),
                    reason,
                    slot.interval().isCompensated(),
                    site,
                    durationNanos,
                    System.nanoTime(),
                    thread,
                    thread.threadId(),
                    true);
            for (PinListener listener : told) {
                listener.ended(pin);
            }
        } catch (Throwable untold) {
            // it has been counted
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
    }

    /** Whom the pin belongs to that begins on {@code slot}, on the current virtual thread, as far as somebody knows. */
    @Nullable
    Object ownerOf(CarrierSlot slot) {
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
            // it belongs to nobody
        } finally {
            slot.recording = false;
            VirtualThreads.unpin();
        }
        return owner;
    }

    /** A pin was noticed from outside, by the current thread, which is the agent's. */
    void tell(PinKind kind, PinReason reason, long durationNanos, @Nullable Site site, PinnedThread pinned) {
        PinListener[] told = all;
        if (told == NOBODY) {
            return;
        }
        try {
            EndedPin pin = new EndedPin(
                    kind,
                    reason,
                    false,
                    site,
                    durationNanos,
                    pinned.untilNanos(),
                    pinned.thread(),
                    pinned.threadId(),
                    false);
            for (PinListener listener : told) {
                listener.ended(pin);
            }
        } catch (Throwable untold) {
            // it has been counted
        }
    }
}
