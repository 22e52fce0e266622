package io.vtagent.it.reference;

import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Finds the kernel's thread of a carrier. Java does not publish its id, and the kernel's copy of
 * the name is cut off before the number of the carrier. But both know its CPU time to the
 * nanosecond, and that stays the same while a thread is off-CPU: one that has the same time is the
 * same thread. The sampler does not ask about threads on a CPU.
 */
final class KernelThreads {
    static final Path TASKS = Path.of("/proc/self/task");

    private KernelThreads() {}

    /** Throws an exception that names what is missing, on systems other than Linux. */
    static void check() {
        if (!Files.isDirectory(TASKS)) {
            throw new IllegalStateException("the reference sampler needs Linux, and its " + TASKS);
        }
    }

    /** Identifies those that are not yet, and are off the CPU now. */
    static void identify(Collection<SampledCarrier> carriers) {
        if (carriers.stream().allMatch(SampledCarrier::isIdentified)) {
            return;
        }
        Set<String> known = new HashSet<>();
        carriers.forEach(carrier -> known.add(carrier.kernelId()));
        try {
            Map<Long, String> idsByCpuNanos = idsByCpuNanos(known);
            for (SampledCarrier carrier : carriers) {
                String id = idsByCpuNanos.getOrDefault(carrier.cpuNanos(), "");
                if (!carrier.isIdentified() && !id.isEmpty()) {
                    identify(carrier, id);
                }
            }
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void identify(SampledCarrier carrier, String id) {
        try {
            carrier.identify(new KernelThread(id));
        } catch (FileNotFoundException ended) {
            // meanwhile: there is nothing left to sample
        }
    }

    /** The threads that are not known. An empty id stands for several with the same time. */
    private static Map<Long, String> idsByCpuNanos(Set<String> known) throws IOException {
        Map<Long, String> ids = new HashMap<>();
        try (DirectoryStream<Path> tasks = Files.newDirectoryStream(TASKS)) {
            for (Path task : tasks) {
                String id = task.getFileName().toString();
                if (!known.contains(id)) {
                    ids.merge(cpuNanos(task), id, (one, another) -> "");
                }
            }
        }
        return ids;
    }

    private static long cpuNanos(Path task) {
        try {
            String line = Files.readString(task.resolve("schedstat"));
            return Long.parseLong(line.substring(0, line.indexOf(' ')));
        } catch (IOException ended) {
            return Long.MIN_VALUE;
        }
    }
}
