package io.vtagent.it.truth;

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
 * Finds the kernel's thread of a carrier. Java does not tell its id, and the kernel's copy of the
 * name is cut off before the number of the carrier. But both know its CPU time to the nanosecond,
 * and while a thread is off the CPU that stands still: one that has the same time is the same
 * thread. The sampler asks about nobody who is on the CPU.
 */
final class KernelThreads {
    static final Path TASKS = Path.of("/proc/self/task");

    private KernelThreads() {}

    /** Says what is missing, on systems that are not Linux. */
    static void check() {
        if (!Files.isDirectory(TASKS)) {
            throw new IllegalStateException("the truth needs Linux, and its " + TASKS);
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
            // meanwhile: there is nothing left to look at
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
