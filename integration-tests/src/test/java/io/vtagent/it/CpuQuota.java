package io.vtagent.it;

import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.UUID;

/** A control group with a CPU quota, of the first version or the second. */
final class CpuQuota implements AutoCloseable {
    private static final long PERIOD_MICROS = 100_000;

    /** The usual mount points of the controller, the first version first. */
    private static final List<Path> MOUNTS =
            List.of(
                    Path.of("/sys/fs/cgroup/cpu"),
                    Path.of("/sys/fs/cgroup/cpu,cpuacct"),
                    Path.of("/sys/fs/cgroup"));

    private final Path group;

    private CpuQuota(Path group) {
        this.group = group;
    }

    /**
     * Makes a group whose processes get that many CPUs together; empty if this user may not, or if
     * this system has no such groups.
     */
    static Optional<CpuQuota> of(double processors) {
        long micros = (long) (processors * PERIOD_MICROS);
        for (Path mount : MOUNTS) {
            Path group = mount.resolve("vt-agent-" + UUID.randomUUID());
            try {
                Files.createDirectory(group);
            } catch (IOException notHere) {
                continue;
            }
            try {
                if (Files.exists(group.resolve("cpu.cfs_quota_us"))) {
                    write(group.resolve("cpu.cfs_period_us"), PERIOD_MICROS);
                    write(group.resolve("cpu.cfs_quota_us"), micros);
                } else {
                    Files.writeString(mount.resolve("cgroup.subtree_control"), "+cpu");
                    Files.writeString(
                            group.resolve("cpu.max"),
                            String.format(Locale.ROOT, "%d %d", micros, PERIOD_MICROS));
                }
                return Optional.of(new CpuQuota(group));
            } catch (IOException noController) {
                new CpuQuota(group).close();
            }
        }
        return Optional.empty();
    }

    private static void write(Path file, long number) throws IOException {
        Files.writeString(file, Long.toString(number));
    }

    /** The command that starts another one in this group. */
    String[] command() {
        return new String[] {
            "sh", "-c", "echo $$ > '" + group.resolve("cgroup.procs") + "'; exec \"$@\"", "sh"
        };
    }

    /** Returns for how long the quota has stopped processes, according to the kernel. */
    double throttledSeconds() {
        try {
            for (String line : Files.readAllLines(group.resolve("cpu.stat"))) {
                if (line.startsWith("throttled_time ")) {
                    return Long.parseLong(line.substring("throttled_time ".length())) / 1e9;
                }
                if (line.startsWith("throttled_usec ")) {
                    return Long.parseLong(line.substring("throttled_usec ".length())) / 1e6;
                }
            }
        } catch (IOException gone) {
            throw new IllegalStateException("no figures of " + group, gone);
        }
        throw new IllegalStateException(group + " does not tell for how long it was throttled");
    }

    /** Removes the group, which the kernel allows a moment after its last process has ended. */
    @Override
    public void close() {
        await("the end of the processes in " + group)
                .ignoreException(FileSystemException.class)
                .until(() -> Files.deleteIfExists(group) || Files.notExists(group));
    }
}
