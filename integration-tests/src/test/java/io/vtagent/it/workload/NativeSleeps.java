package io.vtagent.it.workload;

import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.lang.reflect.Method;
import java.util.Optional;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code jna|foreign THREADS ROUNDS MILLIS}: virtual threads that sleep in the C library, bound by
 * JNA or by {@code java.lang.foreign}.
 */
public final class NativeSleeps {
    private static final int MICROS_PER_MILLI = 1_000;
    private static final int WARM_UP_ROUNDS = 500;
    private static final LongAdder SLEPT_NANOS = new LongAdder();

    private NativeSleeps() {}

    /** Takes microseconds. */
    @FunctionalInterface
    private interface Sleep {
        void run(int micros) throws Throwable;
    }

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        int threads = Integer.parseInt(arguments[1]);
        int rounds = Integer.parseInt(arguments[2]);
        int micros = Integer.parseInt(arguments[3]) * MICROS_PER_MILLI;
        Sleep sleep = arguments[0].equals("foreign") ? foreign() : NativeSleeps::jna;
        // the JVM compiles a method handle that is called often, which the threads would wait for,
        // too
        sleepOn(sleep, 1, WARM_UP_ROUNDS, 0);
        WorkloadConsole.warmUp();
        SLEPT_NANOS.reset();
        sleepOn(sleep, threads, rounds, micros);
        WorkloadConsole.fact("seconds", SLEPT_NANOS.sum() / 1e9);
        WorkloadConsole.fact("caller", SourceLine.of("call"));
        WorkloadConsole.done();
    }

    private static void sleepOn(Sleep sleep, int threads, int rounds, int micros)
            throws InterruptedException {
        Tasks.run(
                threads,
                number -> {
                    for (int i = 0; i < rounds; i++) {
                        long beganNanos = System.nanoTime();
                        call(
                                sleep,
                                micros
                                        + micros
                                                * number
                                                / (2 * threads)); // or they would all sleep and
                        // wake as one
                        SLEPT_NANOS.add(System.nanoTime() - beganNanos);
                    }
                });
    }

    private static void call(Sleep sleep, int micros) {
        try {
            sleep.run(micros);
        } catch (Throwable failed) {
            throw new IllegalStateException(failed);
        }
    }

    private static void jna(int micros) {
        LibC.usleep((int) SourceLine.mark("call", micros));
    }

    /** By reflection, since these classes are a preview on JDK 21. The call itself is none. */
    private static Sleep foreign() throws ReflectiveOperationException {
        Class<?> linkerType = Class.forName("java.lang.foreign.Linker");
        Class<?> descriptorType = Class.forName("java.lang.foreign.FunctionDescriptor");
        Class<?> layoutType = Class.forName("java.lang.foreign.MemoryLayout");
        Class<?> segmentType = Class.forName("java.lang.foreign.MemorySegment");
        Class<?> optionType = Class.forName("java.lang.foreign.Linker$Option");
        Object number =
                Class.forName("java.lang.foreign.ValueLayout").getField("JAVA_INT").get(null);
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object library = linkerType.getMethod("defaultLookup").invoke(linker);
        Method find =
                Class.forName("java.lang.foreign.SymbolLookup").getMethod("find", String.class);
        Object address = ((Optional<?>) find.invoke(library, "usleep")).orElseThrow();
        Object layouts = Array.newInstance(layoutType, 1);
        Array.set(layouts, 0, number);
        Object descriptor =
                descriptorType
                        .getMethod("of", layoutType, layouts.getClass())
                        .invoke(null, number, layouts);
        Object options = Array.newInstance(optionType, 0);
        MethodHandle usleep =
                (MethodHandle)
                        linkerType
                                .getMethod(
                                        "downcallHandle",
                                        segmentType,
                                        descriptorType,
                                        options.getClass())
                                .invoke(linker, address, descriptor, options);
        return micros -> foreign(usleep, micros);
    }

    private static void foreign(MethodHandle usleep, int micros) throws Throwable {
        int failed = (int) usleep.invokeExact((int) SourceLine.mark("call", micros));
        if (failed != 0) {
            throw new IllegalStateException("usleep failed");
        }
    }
}
