package io.vtagent.vm;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import java.util.function.Function;
import jdk.internal.misc.CarrierThreadLocal;

/**
 * A value for each carrier, found from the virtual thread that is mounted on it. Only meaningful between two points where the
 * virtual thread cannot unmount. The carrier itself refers to it weakly: who made it keeps it, and lets go of it with the agent.
 *
 * @param <T> the type of the value
 */
public final class CarrierLocal<T> {
    private static final MethodHandle CURRENT_CARRIER = currentCarrierHandle();

    private final Function<Thread, T> create;

    @SuppressWarnings("ThreadLocalUsage") // as many as there are ledgers: one, and that of the self-test
    private final CarrierThreadLocal<WeakReference<T>> values = new CarrierThreadLocal<>();

    /** @param create makes the value of a carrier, on that carrier, when it is first asked for, and keeps it */
    public CarrierLocal(Function<Thread, T> create) {
        this.create = create;
    }

    /** The value of the current carrier; on a platform thread, of that thread. */
    public T get() {
        WeakReference<T> known = values.get();
        T value = known == null ? null : known.get();
        return value == null ? first() : value;
    }

    private T first() {
        T value = create.apply(currentCarrier());
        values.set(new WeakReference<>(value));
        return value;
    }

    /** Links and specializes what finds a carrier's value when it is asked for first. */
    public static void warmUp() {
        for (int i = 0; i < HandleCalls.TO_SETTLE; i++) {
            currentCarrier();
        }
    }

    private static Thread currentCarrier() {
        try {
            return (Thread) CURRENT_CARRIER.invokeExact();
        } catch (Throwable impossible) {
            throw new AssertionError(impossible);
        }
    }

    private static MethodHandle currentCarrierHandle() {
        try {
            var method = Thread.class.getDeclaredMethod("currentCarrierThread");
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException missing) {
            throw new LinkageError("java.lang.Thread.currentCarrierThread() not found", missing);
        }
    }
}
