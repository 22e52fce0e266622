package io.vtagent.bench.program;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * {@code THREADS}: that many virtual threads compute without a pause. It prints the share of a CPU
 * that the agent's own threads take meanwhile. Needs Linux.
 */
public final class BusyCarriers {
    private static final Path TASKS = Path.of("/proc/self/task");
    private static final String AGENT = "vt-agent";

    /** By then the JVM has compiled what a sample runs most, ten times a second. */
    private static final long WARM_UP_MILLIS = 60_000;

    private static final long MEASURED_MILLIS = 20_000;
    private static final double PERCENT = 100;

    private static volatile long result;

    private BusyCarriers() {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        for (int i = 0; i < threads; i++) {
            Thread.startVirtualThread(BusyCarriers::compute);
        }
        TimeUnit.MILLISECONDS.sleep(WARM_UP_MILLIS);
        Map<Path, Long> before = agentNanos();
        long beganNanos = System.nanoTime();
        TimeUnit.MILLISECONDS.sleep(MEASURED_MILLIS);
        double used = 0;
        for (Map.Entry<Path, Long> after : agentNanos().entrySet()) {
            used += after.getValue() - before.getOrDefault(after.getKey(), 0L);
        }
        System.out.println("agentPercent=" + PERCENT * used / (System.nanoTime() - beganNanos));
        System.exit(0);
    }

    @SuppressWarnings("InfiniteLoopStatement") // until the JVM exits
    private static void compute() {
        while (true) {
            result = result * 31 + 1;
        }
    }

    /** Returns the CPU time of each of the agent's threads that are alive. */
    private static Map<Path, Long> agentNanos() throws IOException {
        Map<Path, Long> nanos = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                if (isAgents(task)) {
                    nanos.put(task, nanosOf(task));
                }
            }
        }
        return nanos;
    }

    private static boolean isAgents(Path task) {
        return read(task.resolve("comm")).startsWith(AGENT);
    }

    private static long nanosOf(Path task) {
        String times = read(task.resolve("schedstat"));
        return times.isEmpty() ? 0 : Long.parseLong(times.substring(0, times.indexOf(' ')));
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException ended) {
            return "";
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
