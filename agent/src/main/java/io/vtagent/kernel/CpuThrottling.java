package io.vtagent.kernel;

import java.io.File;
import java.io.FileInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;

/**
 * The time for which the CPU quotas of this process's control groups have stopped its threads. The
 * kernel counts it for each CPU on which threads were stopped, so in one second it grows by up to
 * the number of CPUs.
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

    private final List<File> groups;
    private long newestNanos;

    private CpuThrottling(List<File> groups) {
        this.groups = groups;
    }

    /** Finds the groups of this process. It is assumed to stay in them. */
    public static CpuThrottling ofThisProcess() {
        try {
            return of(
                    text(new File("/proc/self/cgroup")),
                    text(new File("/proc/self/mountinfo")),
                    new File("/"));
        } catch (IOException | RuntimeException noLinux) {
            return NONE;
        }
    }

    /**
     * @param cgroup the content of {@code /proc/self/cgroup}
     * @param mountinfo the content of {@code /proc/self/mountinfo}
     * @param root where the file system begins
     */
    static CpuThrottling of(String cgroup, String mountinfo, File root) {
        Mount second = null;
        for (String line : mountinfo.split("\n", -1)) {
            Mount mount = Mount.parse(line);
            if (mount.type.equals("cgroup") && mount.options.contains("cpu")) {
                // with the first version, the second has no cpu controller
                return of(mount, pathOf(cgroup, "cpu"), root);
            }
            if (mount.type.equals("cgroup2") && second == null) {
                second = mount;
            }
        }
        return second == null ? NONE : of(second, pathOf(cgroup, ""), root);
    }

    /**
     * @param controller that of the first version; empty for the second version
     */
    private static String pathOf(String cgroup, String controller) {
        for (String line : cgroup.split("\n", -1)) {
            String[] parts = line.split(":", 3);
            if (parts.length == 3 && List.of(parts[1].split(",", -1)).contains(controller)) {
                return parts[2];
            }
        }
        return "";
    }

    private static CpuThrottling of(Mount mount, String path, File root) {
        File top = new File(root, mount.point);
        String relative = relative(mount.root, path);
        // in a container, the group may be visible only as the root of the mount
        boolean visible =
                !("/" + relative + "/").contains("/../") && new File(top, relative).isDirectory();
        List<File> groups = new ArrayList<>();
        File group = visible ? new File(top, relative) : top;
        while (group != null && groups.size() < MAX_LEVELS) {
            File statistics = new File(group, STATISTICS);
            if (nanosIn(statistics) != UNKNOWN) {
                groups.add(statistics);
            }
            group = group.equals(top) ? null : group.getParentFile();
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
        for (File group : groups) {
            nanos += Math.max(nanosIn(group), 0);
        }
        newestNanos = Math.max(newestNanos, nanos);
        return newestNanos;
    }

    private static long nanosIn(File statistics) {
        try {
            return nanosIn(text(statistics));
        } catch (IOException gone) {
            return UNKNOWN;
        }
    }

    /** Reads a file of the kernel's without the classes of {@code java.nio}: the JVM may be new. */
    private static String text(File file) throws IOException {
        try (FileInputStream in = new FileInputStream(file)) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
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
            String[] words = line.split(" ", -1); // at least five if three follow the separator
            String[] after =
                    separator < 0
                            ? new String[0]
                            : line.substring(separator + BEFORE_TYPE.length()).split(" ", -1);
            return after.length < 3
                    ? new Mount("/", "/", "", List.of())
                    : new Mount(
                            unescaped(words[3]),
                            unescaped(words[4]),
                            after[0],
                            List.of(after[2].split(",", -1)));
        }

        /** The kernel writes a space as its octal number, and so on. */
        private static String unescaped(String text) {
            return text.replace("\\040", " ").replace("\\011", "\t").replace("\\134", "\\");
        }
    }
}
