package io.vtagent.scheduler;

import io.vtagent.jvm.HandleCalls;
import io.vtagent.jvm.JdkInternal;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.ref.WeakReference;
import jdk.internal.misc.CarrierThreadLocal;

/**
 * A value for each carrier, found from the virtual thread that is mounted on it. It is meaningful
 * only between two points where the virtual thread cannot unmount. The carrier refers to the value
 * weakly: the code that creates the value must keep it, and drops it with the agent.
 *
 * @param <T> the type of the value
 */
public abstract class CarrierLocal<T> {
    private static final MethodHandle CURRENT_CARRIER = currentCarrierHandle();

    @SuppressWarnings(
            "ThreadLocalUsage") // as many as there are ledgers: one, and that of the self-test
    private final CarrierThreadLocal<WeakReference<T>> values = new CarrierThreadLocal<>();

    /** Creates the value of {@code carrier}, on that carrier, when it is first asked for. */
    protected abstract T create(Thread carrier);

    /** Returns the value of the current carrier; on a platform thread, the value of that thread. */
    public T get() {
        WeakReference<T> known = values.get();
        T value = known == null ? null : known.get();
        return value == null ? first() : value;
    }

    private T first() {
        T value = create(currentCarrier());
        values.set(new WeakReference<>(value));
        return value;
    }

    /** Links and specializes the method handle with which {@link #get} finds the carrier. */
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
            var method = JdkInternal.CURRENT_CARRIER.method();
            method.setAccessible(true);
            return MethodHandles.lookup().unreflect(method);
        } catch (ReflectiveOperationException missing) {
            throw JdkInternal.CURRENT_CARRIER.changed(missing);
        }
    }
}
