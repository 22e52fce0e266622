package io.vtagent.it.workload;

import java.io.IOException;
import java.lang.reflect.Method;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code THREADS MILLIS COMPETING}: virtual threads that compute, hold their carriers and leave
 * them idle, while {@code COMPETING} platform threads compete for the CPUs. It prints for how long
 * the carriers ran and waited for a CPU according to the kernel, and were held according to the
 * threads. Needs {@code --add-exports java.base/jdk.internal.vm=ALL-UNNAMED}.
 */
public final class CarrierStates {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final long COMPUTE_NANOS = 5_000_000;
    private static final long HOLD_MILLIS = 20;
    private static final long IDLE_MILLIS = 10;

    /** The kernel cuts off the names of threads. */
    private static final int MAX_NAME_LENGTH = 15;

    private CarrierStates() {}

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        long nanos = Long.parseLong(arguments[1]) * 1_000_000;
        WorkloadConsole.warmUp();
        List<Thread> idle = Tasks.start(threads, number -> Thread.sleep(IDLE_MILLIS));
        Tasks.join(idle);
        WorkloadConsole.printAndWait("began");
        AtomicBoolean over = new AtomicBoolean();
        List<Thread> competing = new ArrayList<>();
        String[] carrier = new String[1];
        Thread asked =
                Thread.startVirtualThread(
                        () -> {
                            String name = Thread.currentThread().toString();
                            carrier[0] = name.substring(name.indexOf('@') + 1);
                        });
        asked.join();
        String prefix = carrier[0].substring(0, MAX_NAME_LENGTH);
        Map<Path, long[]> before = times(prefix);
        for (int i = 0; i < Integer.parseInt(arguments[2]); i++) {
            competing.add(Thread.ofPlatform().start(() -> compute(over)));
        }
        long beganNanos = System.nanoTime();
        LongAdder heldNanos = new LongAdder();
        Tasks.join(Tasks.start(threads, number -> heldNanos.add(alternate(beganNanos + nanos))));
        Map<Path, long[]> after = times(prefix);
        double seconds = (System.nanoTime() - beganNanos) / 1e9;
        over.set(true);
        Tasks.join(competing);
        WorkloadConsole.fact("seconds", seconds);
        WorkloadConsole.fact("held", heldNanos.sum() / 1e9);
        // the scheduler's thread for delays has the same prefix, and hardly runs
        List<double[]> carriers =
                after.entrySet().stream()
                        .map(
                                task -> {
                                    long[] then = before.getOrDefault(task.getKey(), new long[2]);
                                    return new double[] {
                                        (task.getValue()[0] - then[0]) / 1e9,
                                        (task.getValue()[1] - then[1]) / 1e9
                                    };
                                })
                        .sorted(Comparator.comparingDouble(times -> -times[0]))
                        .limit(threads)
                        .toList();
        WorkloadConsole.fact("running", carriers.stream().mapToDouble(times -> times[0]).sum());
        WorkloadConsole.fact("runnable", carriers.stream().mapToDouble(times -> times[1]).sum());
        WorkloadConsole.done();
    }

    private static void compute(AtomicBoolean over) {
        while (!over.get()) {
            Thread.onSpinWait();
        }
    }

    /** Returns for how long the carrier was held, without the wait for a CPU after that. */
    private static long alternate(long untilNanos)
            throws ReflectiveOperationException, InterruptedException {
        Class<?> continuation = Class.forName("jdk.internal.vm.Continuation");
        Method pin = continuation.getMethod("pin");
        Method unpin = continuation.getMethod("unpin");
        long heldNanos = 0;
        while (System.nanoTime() < untilNanos) {
            long beganNanos = System.nanoTime();
            while (System.nanoTime() - beganNanos < COMPUTE_NANOS) {
                Thread.onSpinWait();
            }
            pin.invoke(null);
            Thread.sleep(HOLD_MILLIS);
            unpin.invoke(null);
            heldNanos += HOLD_MILLIS * 1_000_000;
            Thread.sleep(IDLE_MILLIS);
        }
        return heldNanos;
    }

    /** Returns how long each thread of that name has run and has been queued. */
    private static Map<Path, long[]> times(String prefix) throws IOException {
        Map<Path, long[]> times = new HashMap<>();
        try (var tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (Files.readString(task.resolve("comm")).startsWith(prefix)) {
                    String[] numbers = Files.readString(task.resolve("schedstat")).split(" ", -1);
                    times.put(
                            task,
                            new long[] {Long.parseLong(numbers[0]), Long.parseLong(numbers[1])});
                }
            }
        }
        return times;
    }
}
