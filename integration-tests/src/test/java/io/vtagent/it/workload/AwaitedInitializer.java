package io.vtagent.it.workload;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS [call|name|handle|reflection]}: a platform thread initializes a class, and
 * that many virtual threads wait for it, for {@code MILLIS} or, if that is 0, until the test goes
 * on. They call a method of the class or come to it by its name, a method handle or reflection.
 */
public final class AwaitedInitializer {
    private static final AtomicInteger ARRIVED = new AtomicInteger();
    private static final LongAdder WAITED_NANOS = new LongAdder();

    /** A method reference, whose frame stack traces do not show. */
    private static final Runnable INITIALIZE = Slow::initialize;

    private static int threads;
    private static long millis;
    private static volatile boolean begun;

    private AwaitedInitializer() {}

    private static final class Slow {
        static {
            begun = true;
            while (ARRIVED.get() < threads) {
                Thread.onSpinWait();
            }
            if (millis == 0) {
                WorkloadConsole.printAndWait("waiting");
            }
            try {
                Thread.sleep(millis);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments)
            throws InterruptedException, ReflectiveOperationException {
        threads = Integer.parseInt(arguments[0]);
        millis = Long.parseLong(arguments[1]);
        Way way = way(arguments.length > 2 ? arguments[2] : "call");
        WorkloadConsole.warmUp();
        Thread first = Thread.ofPlatform().start(Slow::initialize);
        while (!begun) {
            Thread.onSpinWait();
        }
        List<Thread> waiters = Tasks.start(threads, number -> await(way));
        Tasks.join(waiters);
        first.join();
        WorkloadConsole.fact("seconds", WAITED_NANOS.sum() / 1e9);
        WorkloadConsole.fact("class", Slow.class.getName());
        WorkloadConsole.done();
    }

    /** A way to the class. */
    private interface Way {
        void go() throws Throwable;
    }

    private static Way way(String name) throws ReflectiveOperationException {
        Class<?> slow =
                Class.forName(
                        AwaitedInitializer.class.getName() + "$Slow",
                        false,
                        AwaitedInitializer.class.getClassLoader());
        Method method = slow.getDeclaredMethod("initialize");
        MethodHandle handle = MethodHandles.lookup().unreflect(method);
        return switch (name) {
            case "call" -> INITIALIZE::run;
            case "name" -> () -> Class.forName(slow.getName());
            case "handle" -> () -> handle.invoke();
            case "reflection" -> () -> method.invoke(null);
            default -> throw new IllegalArgumentException(name);
        };
    }

    private static void await(Way way) {
        ARRIVED.incrementAndGet();
        long beganNanos = System.nanoTime();
        try {
            way.go();
        } catch (Throwable failed) {
            throw new AssertionError(failed);
        }
        WAITED_NANOS.add(System.nanoTime() - beganNanos);
    }
}
