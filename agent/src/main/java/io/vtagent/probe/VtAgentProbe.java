package io.vtagent.probe;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that instrumented code calls, and, as instance methods, who is told by them: one class, since it stays in
 * {@code java.base} for as long as the JVM runs. At run time this is {@code java.lang.VtAgentProbe}.
 *
 * <p>None of the static methods throws, and none costs more than a check where nothing is measured. The instance methods do
 * nothing here. Every one but {@link #onSubmitFailed} and {@link #onCarrierMade} is called on the virtual thread in question while
 * it is mounted, so none may take a lock, park, or call code that does.
 */
public abstract class VtAgentProbe {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The two lock bits of HotSpot's mark word, and their value when nobody owns the monitor (markWord.hpp). */
    private static final long LOCK_BITS = 0b11;

    private static final long UNLOCKED = 0b01;

    /** An inflated monitor is read within so many bytes, whatever anybody asks for. A power of two. */
    public static final long MOST_BYTES = 256;

    private static final long WITHIN = MOST_BYTES - 1;

    /** Their value when the others are the address of the inflated monitor: of one that was contended or waited on. */
    private static final long INFLATED = 0b10;

    /** The address of what looks like an inflated monitor that somebody owns. It is never freed. */
    private static final long NOT_FREE = notFree();

    /** Where an inflated monitor has its owner, and the number of threads that wait for it; 0 while that is not known. */
    private static long ownerOffset;

    private static long contentionsOffset;

    private static volatile @Nullable VtAgentProbe told;

    protected VtAgentProbe() {}

    /** Tells {@code whom} from now on, or nobody if it is null. */
    public static void report(@Nullable VtAgentProbe whom) {
        told = whom;
    }

    /**
     * From now on {@link #entering} tells inflated monitors that are free from others.
     *
     * @param owner where they have 8 bytes that are 0 if nobody owns them, below {@link #MOST_BYTES}; 0 to tell none
     * @param contentions where they have 4 bytes that are 0 if nobody waits to enter them, below {@link #MOST_BYTES}
     */
    public static void monitorFields(long owner, long contentions) {
        contentionsOffset = contentions; // first: whoever sees the other one only finds something there that is not 0
        ownerOffset = owner;
    }

    private static long notFree() {
        long address = UNSAFE.allocateMemory(MOST_BYTES + Long.BYTES);
        UNSAFE.setMemory(address, MOST_BYTES + Long.BYTES, (byte) -1);
        return address;
    }

    /** Before {@code monitorenter}: what {@link #entered} is to be given. */
    public static @Nullable Object entering(@Nullable Object monitor) {
        if (monitor == null || (UNSAFE.getLong(monitor, 0L) & LOCK_BITS) == UNLOCKED) {
            return null;
        }
        return enteringLocked(monitor);
    }

    private static @Nullable Object enteringLocked(Object monitor) {
        if (isFree(monitor)) {
            return null;
        }
        try {
            return Thread.currentThread().isVirtual() ? tellEntering(monitor) : null;
        } catch (Throwable ignored) {
            return null;
        }
    }

    private static boolean isFree(Object monitor) {
        long ownerAt = ownerOffset;
        return ownerAt != 0 && isFree(monitor, ownerAt, contentionsOffset);
    }

    /**
     * Whether {@code monitor} is inflated, nobody owns it and nobody waits to enter it, for what {@link #monitorFields} is to be given.
     *
     * <p>HotSpot frees the memory of an inflated monitor only when each thread has passed a safepoint poll since the mark word ceased to be its address
     * (synchronizer.cpp, {@code deflate_idle_monitors}). Compiled code has neither a poll nor a branch, at which it could go on interpreted, between
     * these reads: of a monitor that is not inflated something else is read. The interpreter has polls, so this is not for JVMs that only interpret, and
     * should be called often enough to be compiled before it is used.
     */
    public static boolean isFree(Object monitor, long ownerAt, long contentionsAt) {
        long mark = UNSAFE.getLong(monitor, 0L);
        long inflated = (((mark ^ INFLATED) & LOCK_BITS) - 1) >> 63; // all bits, or none
        long address = ((mark - INFLATED) & inflated) | (NOT_FREE & ~inflated);
        return (UNSAFE.getLong(null, address + (ownerAt & WITHIN))
                        | UNSAFE.getInt(null, address + (contentionsAt & WITHIN)))
                == 0;
    }

    /**
     * Not inlined, nor is {@link #tellEntered}: as part of the application's hot methods it would make them so large that the JIT compiler inlines them
     * no more, or less of what they call. HotSpot heeds the annotation in classes of the boot loader.
     */
    @DontInline
    private static @Nullable Object tellEntering(Object monitor) {
        VtAgentProbe current = told;
        return current == null ? null : current.onEnterBegan(monitor);
    }

    /** After {@code monitorenter}. */
    public static void entered(@Nullable Object begun) {
        if (begun != null) {
            tellEntered(begun);
        }
    }

    @DontInline
    private static void tellEntered(Object begun) {
        try {
            VtAgentProbe current = told;
            if (current != null) {
                current.onEnterEnded(begun);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** In {@code VirtualThread.VThreadContinuation.onPinned}. */
    public static void yieldFailed(@Nullable Enum<?> reason) {
        try {
            VtAgentProbe current = told;
            if (current != null && reason != null) {
                current.onYieldFailed(reason.name());
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code VirtualThread.parkOnCarrierThread}: what {@link #parkEnded} is to be given. */
    public static @Nullable Object parkBegan() {
        try {
            VtAgentProbe current = told;
            return current == null ? null : current.onParkBegan();
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** After {@code VirtualThread.parkOnCarrierThread}. */
    public static void parkEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentProbe current = told;
            if (current != null) {
                current.onParkEnded(begun);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** At the end of the constructor of {@code CarrierThread}, on the thread that makes it. */
    public static void carrierMade() {
        try {
            VtAgentProbe current = told;
            if (current != null) {
                current.onCarrierMade();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** When {@code VirtualThread.runContinuation} returns, on the carrier. */
    public static void unmounted() {
        try {
            VtAgentProbe current = told;
            if (current != null) {
                current.onUnmounted();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** In {@code VirtualThread.submitFailed}, on any thread. */
    public static void submitFailed(@Nullable Throwable refusal) {
        try {
            VtAgentProbe current = told;
            if (current != null) {
                current.onSubmitFailed();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code Object.wait(long)}, on any thread: what {@link #waitEnded} is to be given. */
    public static @Nullable Object waitBegan() {
        try {
            VtAgentProbe current = told;
            return current != null && Thread.currentThread().isVirtual() ? current.onWaitBegan() : null;
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** After {@code Object.wait(long)}, on any thread. */
    public static void waitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentProbe current = told;
            if (current != null && begun != null) {
                current.onWaitEnded(begun, thrown);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** When the JDK has called {@code ForkJoinPool.beginCompensatedBlock}: {@code compensation} is what it returns, 0 when there is none. */
    public static void compensationTried(long compensation) {
        try {
            VtAgentProbe current = told;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onCompensationTried(compensation != 0);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** After {@code Blocker.begin} up to JDK 22, which returns a negative number when it did nothing. */
    public static void ioBegan(long attempt) {
        if (attempt >= 0) {
            ioBegan();
        }
    }

    /** After {@code Blocker.begin} from JDK 23, which returns false when it did nothing. */
    public static void ioBegan(boolean attempted) {
        if (attempted) {
            ioBegan();
        }
    }

    private static void ioBegan() {
        try {
            VtAgentProbe current = told;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onIoBegan();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code Blocker.end} up to JDK 22. */
    public static void ioEnded(long attempt) {
        if (attempt >= 0) {
            ioEnded();
        }
    }

    /** Before {@code Blocker.end} from JDK 23. */
    public static void ioEnded(boolean attempted) {
        if (attempted) {
            ioEnded();
        }
    }

    private static void ioEnded() {
        try {
            VtAgentProbe current = told;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onIoEnded();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** The JVM refused to unmount the current virtual thread. {@code reason} is a constant's name of {@code Continuation.Pinned}. */
    public void onYieldFailed(String reason) {}

    /** Returns what {@link #onParkEnded} is to be given. */
    public @Nullable Object onParkBegan() {
        return null;
    }

    /** Is given what {@link #onParkBegan} gave, or null. */
    public void onParkEnded(@Nullable Object begun) {}

    /** Returns what {@link #onWaitEnded} is to be given. */
    public @Nullable Object onWaitBegan() {
        return null;
    }

    /**
     * {@code Object.wait} has returned, perhaps on another carrier than it began on.
     *
     * @param begun what {@link #onWaitBegan} gave, or null
     * @param thrown what it threw, or null
     */
    public void onWaitEnded(@Nullable Object begun, @Nullable Throwable thrown) {}

    /**
     * The current virtual thread is about to enter {@code monitor}, which is locked, or inflated and perhaps free, and which it may own already.
     *
     * @return what {@link #onEnterEnded} is to be given as soon as it has entered, or null if nobody wants to know
     */
    public @Nullable Object onEnterBegan(Object monitor) {
        return null;
    }

    /** The current virtual thread has entered the monitor. Is given what {@link #onEnterBegan} gave. */
    public void onEnterEnded(Object begun) {}

    /** The scheduler was asked for a carrier to stand in for the current one. */
    public void onCompensationTried(boolean compensated) {}

    /** The scheduler has added a carrier. Called on any thread. */
    public void onCarrierMade() {}

    /** The current virtual thread begins what may block its carrier in the operating system. */
    public void onIoBegan() {}

    /** It has ended. */
    public void onIoEnded() {}

    /** A virtual thread has left the current thread, a carrier. */
    public void onUnmounted() {}

    /** The scheduler refused a virtual thread. Called by whoever meant to start it or go on with it, on any thread. */
    public void onSubmitFailed() {}
}
