package io.vtagent.probe;

import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The static methods that instrumented code calls. None of them throws, and none costs more than a check where nothing is
 * measured. At run time this is {@code java.lang.VtAgentProbe}.
 */
public final class VtAgentProbe {
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();

    /** The two lock bits of HotSpot's mark word, and their value when nobody owns the monitor (markWord.hpp). */
    private static final long LOCK_BITS = 0b11;

    private static final long UNLOCKED = 0b01;

    private static volatile @Nullable VtAgentSensor sensor;

    private VtAgentProbe() {}

    /** Tells {@code newSensor} from now on, or nobody if it is null. */
    public static void report(@Nullable VtAgentSensor newSensor) {
        sensor = newSensor;
    }

    /** Before {@code monitorenter}: whether the entry is to be timed, to be handed to {@link #entered(boolean)}. */
    public static boolean entering(@Nullable Object monitor) {
        if (monitor == null || (UNSAFE.getLong(monitor, 0L) & LOCK_BITS) == UNLOCKED) {
            return false;
        }
        return enteringLocked(monitor);
    }

    private static boolean enteringLocked(Object monitor) {
        try {
            if (!Thread.currentThread().isVirtual() || Thread.holdsLock(monitor)) {
                return false;
            }
            VtAgentSensor current = sensor;
            return current != null && current.enterBegan(monitor);
        } catch (Throwable ignored) {
            return false;
        }
    }

    /** After {@code monitorenter}. */
    public static void entered(boolean timed) {
        if (timed) {
            enteredLocked();
        }
    }

    private static void enteredLocked() {
        try {
            VtAgentSensor current = sensor;
            if (current != null) {
                current.enterEnded();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** In {@code VirtualThread.VThreadContinuation.onPinned}. */
    public static void yieldFailed(@Nullable Enum<?> reason) {
        try {
            VtAgentSensor current = sensor;
            if (current != null && reason != null) {
                current.yieldFailed(reason.name());
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code VirtualThread.parkOnCarrierThread}: what {@link #parkEnded} is to be given. */
    public static @Nullable Object parkBegan() {
        try {
            VtAgentSensor current = sensor;
            return current == null ? null : current.parkBegan();
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** After {@code VirtualThread.parkOnCarrierThread}. */
    public static void parkEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentSensor current = sensor;
            if (current != null) {
                current.parkEnded(begun);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** At the end of the constructor of {@code CarrierThread}, on the thread that makes it. */
    public static void carrierMade() {
        try {
            VtAgentSensor current = sensor;
            if (current != null) {
                current.carrierMade();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** When {@code VirtualThread.runContinuation} returns, on the carrier. */
    public static void unmounted() {
        try {
            VtAgentSensor current = sensor;
            if (current != null) {
                current.unmounted();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** In {@code VirtualThread.submitFailed}, on any thread. */
    public static void submitFailed(@Nullable Throwable refusal) {
        try {
            VtAgentSensor current = sensor;
            if (current != null) {
                current.submitFailed();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code Object.wait(long)}, on any thread: what {@link #waitEnded} is to be given. */
    public static @Nullable Object waitBegan() {
        try {
            VtAgentSensor current = sensor;
            return current != null && Thread.currentThread().isVirtual() ? current.waitBegan() : null;
        } catch (Throwable ignored) {
            return null;
        }
    }

    /** After {@code Object.wait(long)}, on any thread. */
    public static void waitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
        try {
            VtAgentSensor current = sensor;
            if (current != null && begun != null) {
                current.waitEnded(begun, thrown);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** When the JDK has called {@code ForkJoinPool.beginCompensatedBlock}: {@code compensation} is what it returns, 0 when there is none. */
    public static void compensationTried(long compensation) {
        try {
            VtAgentSensor current = sensor;
            if (current != null && Thread.currentThread().isVirtual()) {
                current.compensationTried(compensation != 0);
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** After {@code Blocker.begin} up to JDK 22, which returns a negative number when it did nothing. */
    public static void ioBegan(long attempt) {
        ioBegan(attempt >= 0);
    }

    /** After {@code Blocker.begin} from JDK 23, which returns false when it did nothing. */
    public static void ioBegan(boolean attempted) {
        try {
            VtAgentSensor current = sensor;
            if (attempted && current != null && Thread.currentThread().isVirtual()) {
                current.ioBegan();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }

    /** Before {@code Blocker.end} up to JDK 22. */
    public static void ioEnded(long attempt) {
        ioEnded(attempt >= 0);
    }

    /** Before {@code Blocker.end} from JDK 23. */
    public static void ioEnded(boolean attempted) {
        try {
            VtAgentSensor current = sensor;
            if (attempted && current != null && Thread.currentThread().isVirtual()) {
                current.ioEnded();
            }
        } catch (Throwable ignored) {
            // the application goes on
        }
    }
}
