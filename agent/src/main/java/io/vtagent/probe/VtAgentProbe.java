package io.vtagent.probe;

import jdk.internal.misc.Unsafe;
import jdk.internal.vm.annotation.DontInline;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that instrumented code calls, and, as instance methods, the listener that they
 * notify. Both are in one class because it stays in {@code java.base} for as long as the JVM runs.
 * At run time this is {@code java.lang.VtAgentProbe}.
 *
 * <p>No static method throws, and each costs only a check where nothing is measured. The instance
 * methods do nothing here. {@link #onSubmitFailed} and {@link #onCarrierMade} are called on any
 * thread, and {@link #onUnmounted} is called on the carrier. All others are called on the virtual
 * thread in question while it is mounted. No instance method may take a lock, park, or call code
 * that does.
 */
public abstract class VtAgentProbe {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /**
     * The two lock bits of HotSpot's mark word, and their value when no thread owns the monitor
     * (markWord.hpp).
     */
    private static final long LOCK_BITS = 0b11;

    private static final long UNLOCKED = 0b01;

    /**
     * The probe reads only this many bytes of an inflated monitor, whatever offsets it is given. A
     * power of two.
     */
    public static final long MAX_BYTES = 256;

    private static final long WITHIN = MAX_BYTES - 1;

    /**
     * The value of the lock bits when the other bits are the address of an inflated monitor. A
     * monitor is inflated when it is contended or waited on.
     */
    private static final long INFLATED = 0b10;

    /**
     * The address of memory that looks like an inflated monitor that a thread owns. It is never
     * freed.
     */
    private static final long NOT_FREE = notFree();

    /**
     * The offsets in an inflated monitor of its owner and of the number of threads that wait to
     * enter it; 0 while they are unknown.
     */
    private static long ownerOffset;

    private static long contentionsOffset;

    private static volatile @Nullable VtAgentProbe listener;

    protected VtAgentProbe() {}

    /** Sets the listener; null to notify none. */
    public static void report(@Nullable VtAgentProbe newListener) {
        listener = newListener;
    }

    /**
     * Sets the offsets by which {@link #entering} recognizes inflated monitors that are free.
     *
     * @param owner the offset of 8 bytes that are 0 if no thread owns the monitor, below {@link
     *     #MAX_BYTES}; 0 to recognize none
     * @param contentions the offset of 4 bytes that are 0 if no thread waits to enter the monitor,
     *     below {@link #MAX_BYTES}
     */
    public static void monitorFields(long owner, long contentions) {
        // first: a thread that sees only the new ownerOffset reads something else, which is not 0
        contentionsOffset = contentions;
        ownerOffset = owner;
    }

    private static long notFree() {
        long address = UNSAFE.allocateMemory(MAX_BYTES + Long.BYTES);
        UNSAFE.setMemory(address, MAX_BYTES + Long.BYTES, (byte) -1);
        return address;
    }

    /**
     * Called before {@code monitorenter}.
     *
     * @return the token to pass to {@link #entered}; null if the entry is not timed
     */
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
            return Thread.currentThread().isVirtual() ? reportEntering(monitor) : null;
        } catch (Throwable ignored) {
            return null;
        }
    }

    private static boolean isFree(Object monitor) {
        long ownerAt = ownerOffset;
        return ownerAt != 0 && isFree(monitor, ownerAt, contentionsOffset);
    }

    /**
     * Returns whether {@code monitor} is inflated, no thread owns it and no thread waits to enter
     * it. The offsets are those that {@link #monitorFields} takes.
     *
     * <p>HotSpot frees the memory of an inflated monitor only when each thread has passed a
     * safepoint poll since the mark word ceased to be its address (synchronizer.cpp, {@code
     * deflate_idle_monitors}). Compiled code has no poll between these reads. It has no branch
     * either, at which it could be deoptimized: if the monitor is not inflated, other memory is
     * read. The interpreter has polls, so this method must not be used in a JVM that only
     * interprets, and in others must be called often enough to be compiled before it is used.
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
     * Neither this method nor {@link #reportEntered} is inlined. They would make the application's
     * hot methods so large that the JIT compiler would inline those methods, or what they call,
     * less often. HotSpot honours the annotation in classes of the boot loader.
     */
    @DontInline
    private static @Nullable Object reportEntering(Object monitor) {
        VtAgentProbe current = listener;
        return current == null ? null : current.onEnterBegan(monitor);
    }

    /** Called after {@code monitorenter}, with the token from {@link #entering}. */
    public static void entered(@Nullable Object begun) {
        if (begun != null) {
            reportEntered(begun);
        }
    }

    @DontInline
    private static void reportEntered(Object begun) {
        try {
            VtAgentProbe current = listener;
            if (current != null) {
                current.onEnterEnded(begun);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Called in {@code VirtualThread.VThreadContinuation.onPinned}. */
    public static void yieldFailed(@Nullable Enum<?> reason) {
        try {
            VtAgentProbe current = listener;
            if (current != null && reason != null) {
                current.onYieldFailed(reason.name());
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * Called before {@code VirtualThread.parkOnCarrierThread}. Returns the token to pass to {@link
     * #parkEnded}.
     */
    public static @Nullable Object parkBegan() {
        try {
            VtAgentProbe current = listener;
            return current == null ? null : current.onParkBegan();
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** Called after {@code VirtualThread.parkOnCarrierThread}. */
    public static void parkEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentProbe current = listener;
            if (current != null) {
                current.onParkEnded(begun);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * Called at the end of the constructor of {@code CarrierThread}, on the thread that creates the
     * carrier.
     */
    public static void carrierMade() {
        try {
            VtAgentProbe current = listener;
            if (current != null) {
                current.onCarrierMade();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Called on the carrier when {@code VirtualThread.runContinuation} returns. */
    public static void unmounted() {
        try {
            VtAgentProbe current = listener;
            if (current != null) {
                current.onUnmounted();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Called in {@code VirtualThread.submitFailed}, on any thread. */
    public static void submitFailed(@Nullable Throwable refusal) {
        try {
            VtAgentProbe current = listener;
            if (current != null) {
                current.onSubmitFailed();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * Called before {@code Object.wait(long)}, on any thread. Returns the token to pass to {@link
     * #waitEnded}.
     */
    public static @Nullable Object waitBegan() {
        try {
            VtAgentProbe current = listener;
            return current != null && Thread.currentThread().isVirtual()
                    ? current.onWaitBegan()
                    : null;
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** Called after {@code Object.wait(long)}, on any thread. */
    public static void waitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentProbe current = listener;
            if (current != null && begun != null) {
                current.onWaitEnded(begun, thrown);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * Called when {@code ForkJoinPool.beginCompensatedBlock} has returned.
     *
     * @param compensation the value that it returned, 0 if the scheduler did not compensate
     */
    public static void compensationTried(long compensation) {
        try {
            VtAgentProbe current = listener;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onCompensationTried(compensation != 0);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * Called after {@code Blocker.begin} up to JDK 22, which returns a negative number when it did
     * nothing.
     */
    public static void ioBegan(long attempt) {
        if (attempt >= 0) {
            ioBegan();
        }
    }

    /** Called after {@code Blocker.begin} since JDK 23, which returns false when it did nothing. */
    public static void ioBegan(boolean attempted) {
        if (attempted) {
            ioBegan();
        }
    }

    private static void ioBegan() {
        try {
            VtAgentProbe current = listener;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onIoBegan();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Called before {@code Blocker.end} up to JDK 22. */
    public static void ioEnded(long attempt) {
        if (attempt >= 0) {
            ioEnded();
        }
    }

    /** Called before {@code Blocker.end} since JDK 23. */
    public static void ioEnded(boolean attempted) {
        if (attempted) {
            ioEnded();
        }
    }

    private static void ioEnded() {
        try {
            VtAgentProbe current = listener;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.onIoEnded();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /**
     * The JVM refused to unmount the current virtual thread. {@code reason} is the name of a
     * constant of {@code Continuation.Pinned}.
     */
    public void onYieldFailed(String reason) {}

    /**
     * The current virtual thread is about to park on its carrier. Returns the token to pass to
     * {@link #onParkEnded}.
     */
    public @Nullable Object onParkBegan() {
        return null;
    }

    /** The park has ended. {@code begun} is the token from {@link #onParkBegan}, or null. */
    public void onParkEnded(@Nullable Object begun) {}

    /**
     * The current virtual thread is about to call {@code Object.wait}. Returns the token to pass to
     * {@link #onWaitEnded}.
     */
    public @Nullable Object onWaitBegan() {
        return null;
    }

    /**
     * {@code Object.wait} has ended, perhaps on another carrier than it began on.
     *
     * @param begun the token from {@link #onWaitBegan}, or null
     * @param thrown the exception that {@code Object.wait} threw, or null
     */
    public void onWaitEnded(@Nullable Object begun, @Nullable Throwable thrown) {}

    /**
     * The current virtual thread is about to enter {@code monitor}. The monitor is locked, or it is
     * inflated and perhaps free. The thread may own it already.
     *
     * @return the token to pass to {@link #onEnterEnded} as soon as the thread has entered; null if
     *     that need not be reported
     */
    public @Nullable Object onEnterBegan(Object monitor) {
        return null;
    }

    /**
     * The current virtual thread has entered the monitor. {@code begun} is the token from {@link
     * #onEnterBegan}.
     */
    public void onEnterEnded(Object begun) {}

    /** The scheduler was asked to compensate for the current carrier. */
    public void onCompensationTried(boolean compensated) {}

    /** The scheduler has added a carrier. Called on any thread. */
    public void onCarrierMade() {}

    /**
     * The current virtual thread begins an operation that may block its carrier in the operating
     * system.
     */
    public void onIoBegan() {}

    /** The operation has ended. */
    public void onIoEnded() {}

    /** A virtual thread has left the current thread, a carrier. */
    public void onUnmounted() {}

    /**
     * The scheduler refused a virtual thread. Called on the thread that meant to start or continue
     * it, which may be any thread.
     */
    public void onSubmitFailed() {}
}
