package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.OwnPool;
import io.vtagent.kernel.KernelThreads;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.QueueCounters;
import java.lang.invoke.MethodHandle;
import java.lang.reflect.Array;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RunningCarriersTest {
    private static final long LIMIT_NANOS = 30_000_000_000L;

    /** A call with this order takes some 10 ms. */
    private static final int ORDER = 3_000_000;

    /** Above every order, so that the function computes one step for each. */
    private static final double X = 1e9;

    private final AtomicBoolean ended = new AtomicBoolean();

    @AfterEach
    void end() {
        ended.set(true);
    }

    @Test
    void aStackThatIsReadInCriticalCallsIsNotReadForSomeTime() throws Exception {
        MethodHandle bessel = criticalBessel();
        RunningCarriers carriers =
                new RunningCarriers(CarrierPool.ofThisJvm(), () -> null, () -> 0);
        Thread computing = Thread.startVirtualThread(() -> compute(bessel));

        long beganNanos = System.nanoTime();
        List<StackTraceElement> frames;
        do {
            frames = carriers.frames(computing);
        } while (frames != null && System.nanoTime() - beganNanos < LIMIT_NANOS);

        assertThat(frames).as("one of the reads must have waited for a call to end").isNull();
    }

    @Test
    void aCarrierThatRunsAThreadIsReadAsItIs() throws Exception {
        ForkJoinPool scheduler = OwnPool.of(1, 1);
        KernelThreads kernel = new KernelThreads();
        try {
            CarrierPool pool = OwnPool.seen(scheduler);
            RunningCarriers carriers = new RunningCarriers(pool, () -> kernel, () -> 0);
            CountDownLatch begun = new CountDownLatch(1);
            Thread thread = OwnPool.unstarted(scheduler, () -> spin(begun));
            thread.start();
            begun.await();
            Thread carrier = pool.carriers().getFirst();
            BusyCarriers.Moment before = carriers.moment();
            long cpuNanos = carriers.cpuNanos(carrier);
            long nanos = carriers.nanoTime();
            List<StackTraceElement> frames = carriers.frames(thread);

            assertThat(carriers.mountedOn(carrier)).isSameAs(thread);
            assertThat(frames).anyMatch(frame -> frame.getMethodName().equals("spin"));
            assertThat(cpuNanos).isNotNegative();
            while (carriers.cpuNanos(carrier) <= cpuNanos && !ended.get()) {
                Thread.onSpinWait();
            }
            assertThat(carriers.cpuNanos(carrier)).isGreaterThan(cpuNanos);
            assertThat(carriers.nanoTime()).isGreaterThan(nanos);
            assertThat(carriers.queuedNanos(carrier)).isNotNegative();
            assertThat(carriers.moment().keptSince(before, carrier))
                    .isEqualTo(QueueCounters.Kept.YES);
            assertThat(carriers.moment().keptSince((m, c) -> QueueCounters.Kept.YES, carrier))
                    .as("a moment of others")
                    .isEqualTo(QueueCounters.Kept.NO);
        } finally {
            ended.set(true);
            kernel.close();
            scheduler.shutdown();
        }
    }

    @Test
    void withoutTheKernelsThreadsNoCpuTimeIsKnown() throws Exception {
        RunningCarriers carriers =
                new RunningCarriers(CarrierPool.ofThisJvm(), () -> null, () -> 0);

        assertThat(carriers.cpuNanos(Thread.currentThread())).isNegative();
    }

    private void spin(CountDownLatch begun) {
        begun.countDown();
        while (!ended.get()) {
            Thread.onSpinWait();
        }
    }

    private void compute(MethodHandle bessel) {
        while (!ended.get()) {
            try {
                double unused = (double) bessel.invokeExact(ORDER, X);
            } catch (Throwable failed) {
                throw new IllegalStateException(failed);
            }
        }
    }

    /**
     * Binds {@code double jn(int order, double x)} of the C library as a critical function. By
     * reflection, because these classes are a preview on JDK 21.
     */
    private static MethodHandle criticalBessel() throws ReflectiveOperationException {
        Class<?> linkerType = foreign("Linker");
        Class<?> descriptorType = foreign("FunctionDescriptor");
        Class<?> layoutType = foreign("MemoryLayout");
        Class<?> optionType = foreign("Linker$Option");
        Object linker = linkerType.getMethod("nativeLinker").invoke(null);
        Object library = linkerType.getMethod("defaultLookup").invoke(linker);
        Object address =
                ((Optional<?>)
                                foreign("SymbolLookup")
                                        .getMethod("find", String.class)
                                        .invoke(library, "jn"))
                        .orElseThrow();
        Object number = foreign("ValueLayout").getField("JAVA_DOUBLE").get(null);
        Object parameters =
                array(layoutType, foreign("ValueLayout").getField("JAVA_INT").get(null), number);
        Object descriptor =
                descriptorType
                        .getMethod("of", layoutType, parameters.getClass())
                        .invoke(null, number, parameters);
        Object options =
                array(
                        optionType,
                        optionType.getMethod("critical", boolean.class).invoke(null, false));
        return (MethodHandle)
                linkerType
                        .getMethod(
                                "downcallHandle",
                                foreign("MemorySegment"),
                                descriptorType,
                                options.getClass())
                        .invoke(linker, address, descriptor, options);
    }

    private static Class<?> foreign(String name) throws ClassNotFoundException {
        return Class.forName("java.lang.foreign." + name);
    }

    private static Object array(Class<?> type, @Nullable Object... elements) {
        Object array = Array.newInstance(type, elements.length);
        for (int i = 0; i < elements.length; i++) {
            Array.set(array, i, elements[i]);
        }
        return array;
    }
}
