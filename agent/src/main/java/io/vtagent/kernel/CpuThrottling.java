package io.vtagent.kernel;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Function;

/**
 * The time for which the CPU quotas of this process's control groups have stopped its threads. The
 * kernel counts it for each processor on which threads were stopped, so in one second it grows by
 * up to the number of processors.
 *
 * <p>A quota of an outer group stops the process like one of its own. The kernel counts the time in
 * the group whose quota was used up, so the times of all groups from the process's own to the
 * outermost visible one are added up. Reads a file for each of them. Thread-safe.
 */
public final class CpuThrottling {
    /** The time where no group has a counter. */
    public static final CpuThrottling NONE = new CpuThrottling(List.of());

    private static final String STATISTICS = "cpu.stat";
    private static final String NANOS_V1 = "throttled_time";
    private static final String MICROS_V2 = "throttled_usec";
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long UNKNOWN = -1;
    private static final int MAX_LEVELS = 64;

    private final List<Path> groups;
    private long newestNanos;

    private CpuThrottling(List<Path> groups) {
        this.groups = groups;
    }

    /** Finds the groups of this process. It is assumed to stay in them. */
    public static CpuThrottling ofThisProcess() {
        try {
            return of(
                    Files.readString(Path.of("/proc/self/cgroup")),
                    Files.readString(Path.of("/proc/self/mountinfo")),
                    Path.of("/"));
        } catch (IOException | RuntimeException noLinux) {
            return NONE;
        }
    }

    /**
     * @param cgroup the content of {@code /proc/self/cgroup}
     * @param mountinfo the content of {@code /proc/self/mountinfo}
     * @param root where the file system begins
     */
    static CpuThrottling of(String cgroup, String mountinfo, Path root) {
        List<Mount> mounts =
                mountinfo.lines().map(Mount::parse).filter(mount -> mount.isOf("cgroup")).toList();
        for (Mount mount : mounts) {
            if (mount.options.contains("cpu")) {
                // with the first version, the second has no cpu controller
                return of(mount, pathOf(cgroup, CpuThrottling::hasCpu), root);
            }
        }
        return mountinfo
                .lines()
                .map(Mount::parse)
                .filter(mount -> mount.isOf("cgroup2"))
                .findFirst()
                .map(mount -> of(mount, pathOf(cgroup, ids -> ids.startsWith("0::")), root))
                .orElse(NONE);
    }

    private static boolean hasCpu(String line) {
        String[] parts = line.split(":", 3);
        return parts.length == 3 && List.of(parts[1].split(",", -1)).contains("cpu");
    }

    private static String pathOf(String cgroup, Function<String, Boolean> isWanted) {
        return cgroup.lines()
                .filter(isWanted::apply)
                .map(line -> line.split(":", 3)[2])
                .findFirst()
                .orElse("/");
    }

    private static CpuThrottling of(Mount mount, String path, Path root) {
        Path top = root.resolve(mount.point.substring(1)).normalize();
        Path own = top.resolve(relative(mount.root, path)).normalize();
        // in a container, the group may be visible only as the root of the mount
        Path group = own.startsWith(top) && Files.isDirectory(own) ? own : top;
        List<Path> groups = new ArrayList<>();
        while (group != null && group.startsWith(top) && groups.size() < MAX_LEVELS) {
            Path statistics = group.resolve(STATISTICS);
            if (nanosIn(statistics) != UNKNOWN) {
                groups.add(statistics);
            }
            group = group.getParent();
        }
        return groups.isEmpty() ? NONE : new CpuThrottling(List.copyOf(groups));
    }

    private static String relative(String mountRoot, String path) {
        String below = mountRoot.equals("/") ? path : withoutPrefix(path, mountRoot);
        return below.startsWith("/") ? below.substring(1) : below;
    }

    private static String withoutPrefix(String path, String prefix) {
        return path.equals(prefix) || path.startsWith(prefix + "/")
                ? path.substring(prefix.length())
                : path;
    }

    /** Returns whether the kernel counts this time for a group of the process. */
    public boolean isKnown() {
        return !groups.isEmpty();
    }

    /** Returns the time until now, in nanoseconds. It never decreases. */
    public synchronized long nanos() {
        long nanos = 0;
        for (Path group : groups) {
            nanos += Math.max(nanosIn(group), 0);
        }
        newestNanos = Math.max(newestNanos, nanos);
        return newestNanos;
    }

    private static long nanosIn(Path statistics) {
        try {
            return nanosIn(Files.readString(statistics));
        } catch (IOException | UncheckedIOException gone) {
            return UNKNOWN;
        }
    }

    private static long nanosIn(String statistics) {
        for (String line : statistics.split("\n", -1)) {
            String[] words = line.split(" ", -1);
            if (words.length == 2 && words[0].equals(NANOS_V1)) {
                return number(words[1], 1);
            }
            if (words.length == 2 && words[0].equals(MICROS_V2)) {
                return number(words[1], NANOS_PER_MICRO);
            }
        }
        return UNKNOWN;
    }

    private static long number(String text, long unitNanos) {
        try {
            return Long.parseLong(text) * unitNanos;
        } catch (NumberFormatException unknown) {
            return UNKNOWN;
        }
    }

    /**
     * A line of {@code mountinfo}.
     *
     * @param root the directory of the mounted file system that is mounted
     * @param point where it is mounted
     * @param options those of the file system; of version 1 they contain the controllers
     */
    private record Mount(String root, String point, String type, List<String> options) {
        private static final String BEFORE_TYPE = " - ";

        static Mount parse(String line) {
            int separator = line.indexOf(BEFORE_TYPE);
            String[] before = line.split(" ", -1);
            String[] after =
                    separator < 0
                            ? new String[0]
                            : line.substring(separator + BEFORE_TYPE.length()).split(" ", -1);
            return before.length < 5 || after.length < 3
                    ? new Mount("/", "/", "", List.of())
                    : new Mount(
                            unescaped(before[3]),
                            unescaped(before[4]),
                            after[0],
                            List.of(after[2].split(",", -1)));
        }

        /** The kernel writes a space as its octal number, and so on. */
        private static String unescaped(String text) {
            return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
        }

        boolean isOf(String wanted) {
            return type.equals(wanted);
        }
    }
}
