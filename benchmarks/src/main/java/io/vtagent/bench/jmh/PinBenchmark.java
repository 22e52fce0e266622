package io.vtagent.bench.jmh;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.lang.reflect.Method;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The cost of recording one pin, and of the check at an unmount, in nanoseconds, on a virtual
 * thread with a carrier of its own.
 *
 * <p>{@link #park} is a park of a pinned thread, with the agent or without. The others call the
 * probe as the JDK's instrumented methods do, without parking: they need the agent.
 */
@Fork(
        jvmArgsAppend = {
            "-Djmh.executor=VIRTUAL",
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.reflect.useNativeAccessorOnly=true",
            "--add-opens=java.base/java.lang=ALL-UNNAMED"
        })
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class PinBenchmark {

    /**
     * Parks above a native frame, that of {@code Method.invoke}, so that it pins on every JDK. The
     * carrier has a permit: the operating system has no part in it, the park returns at once.
     */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    @OperationsPerInvocation(Carrier.PARKS)
    public void park(Carrier carrier) throws ReflectiveOperationException {
        carrier.parkAboveNativeFrame();
    }

    /** A pin shorter than the {@code stack-threshold}, from the refusal to unmount to the end. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public void withoutStack() throws Throwable {
        Probe.YIELD_FAILED.invokeExact(Probe.REASON);
        Object begun = Probe.PARK_BEGAN.invokeExact();
        Probe.PARK_ENDED.invokeExact(begun, (Throwable) null);
    }

    /** Does what relief does at each unmount, where no carrier has been added. */
    @Benchmark
    @BenchmarkMode(Mode.AverageTime)
    public void unmounted() throws Throwable {
        Probe.UNMOUNTED.invokeExact();
    }

    /** A pin whose stack is read, {@link Deep#FRAMES} frames below the benchmark's own. */
    @Benchmark
    @BenchmarkMode(Mode.SampleTime)
    public void withStack(Deep deep) throws Throwable {
        deep.pin(Deep.FRAMES);
    }

    /** The carrier that the benchmark's thread is pinned to for many parks. */
    @State(Scope.Thread)
    public static class Carrier {
        static final int PARKS = 1000;
        private static final Method PARK_OFTEN = method(Carrier.class, "parkOften");
        private static final Method CURRENT_CARRIER = method(Thread.class, "currentCarrierThread");

        void parkAboveNativeFrame() throws ReflectiveOperationException {
            PARK_OFTEN.invoke(this);
        }

        void parkOften() throws ReflectiveOperationException {
            Thread carrier = (Thread) CURRENT_CARRIER.invoke(null);
            for (int i = 0; i < PARKS; i++) {
                LockSupport.unpark(carrier);
                LockSupport.park();
            }
        }

        private static Method method(Class<?> owner, String name) {
            try {
                Method method = owner.getDeclaredMethod(name);
                method.setAccessible(true);
                return method;
            } catch (NoSuchMethodException missing) {
                throw new IllegalStateException(missing);
            }
        }
    }

    /**
     * A carrier that was held long enough for the agent to afford a stack, and a thread that is
     * deep in its work.
     */
    @State(Scope.Thread)
    public static class Deep {
        static final int FRAMES = 50;
        private static final long HELD_NANOS = 3_000_000;

        /**
         * Holds its monitor below all frames, where the walk that searches from the top finds it
         * last.
         */
        synchronized void pin(int frames) throws Throwable {
            descend(frames - 1);
        }

        private void descend(int frames) throws Throwable {
            if (frames > 1) {
                descend(frames - 1);
            } else {
                Probe.YIELD_FAILED.invokeExact(Probe.REASON);
                Object begun = Probe.PARK_BEGAN.invokeExact();
                Probe.PARK_ENDED.invokeExact(begun, (Throwable) null);
            }
        }

        @Setup(Level.Invocation)
        public void hold() throws Throwable {
            Probe.YIELD_FAILED.invokeExact(Probe.REASON);
            Object begun = Probe.PARK_BEGAN.invokeExact();
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < HELD_NANOS) {
                Thread.onSpinWait();
            }
            Probe.PARK_ENDED.invokeExact(begun, (Throwable) null);
            pin(FRAMES); // what is measured finds the caches as it leaves them
        }
    }

    /** The probe, as instrumented code calls it. */
    private static final class Probe {
        static final MethodHandle YIELD_FAILED = find(void.class, "yieldFailed", Enum.class);
        static final MethodHandle UNMOUNTED = find(void.class, "unmounted");
        static final MethodHandle PARK_BEGAN = find(Object.class, "parkBegan");
        static final MethodHandle PARK_ENDED =
                find(void.class, "parkEnded", Object.class, Throwable.class);

        /**
         * Stands for the constant of {@code Continuation.Pinned}, of which only the name is asked.
         */
        static final Enum<?> REASON = Pinned.MONITOR;

        private enum Pinned {
            MONITOR
        }

        private static MethodHandle find(Class<?> result, String method, Class<?>... parameters) {
            try {
                Class<?> probe = Class.forName("java.lang.VtAgentProbe", false, null);
                MethodType type = MethodType.methodType(result, parameters);
                return MethodHandles.publicLookup().findStatic(probe, method, type);
            } catch (ReflectiveOperationException absent) {
                throw new IllegalStateException("no agent in this JVM", absent);
            }
        }
    }
}
