package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Tests with made-up trees of control groups. */
class CpuThrottlingTest {
    private static final String V1_CPU =
            "32 31 0:29 / /sys/fs/cgroup/cpu rw,relatime shared:9 - cgroup cgroup rw,cpu\n";
    private static final String V1_BOTH =
            "32 31 0:29 / /sys/fs/cgroup/cpu,cpuacct rw - cgroup cgroup rw,cpu,cpuacct\n";
    private static final String V2 = "30 23 0:26 / /sys/fs/cgroup rw - cgroup2 cgroup2 rw\n";
    private static final String UNIFIED =
            "41 31 0:38 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n";
    private static final String OTHERS =
            "22 1 8:1 / / rw - ext4 /dev/sda1 rw\n"
                    + "33 31 0:30 / /sys/fs/cgroup/cpuacct rw - cgroup cgroup rw,cpuacct\n"
                    + "34 31 0:31 / /sys/fs/cgroup/cpuset rw - cgroup cgroup rw,cpuset\n";

    @TempDir private Path root;

    @Test
    void version1HasNanosecondsInTheGroupOfTheCpuController() throws IOException {
        v1("sys/fs/cgroup/cpu/app", 1_500_000_000L);

        CpuThrottling throttling =
                CpuThrottling.of("4:memory:/other\n1:cpu:/app\n", OTHERS + V1_CPU, root.toFile());

        assertThat(throttling.isKnown()).isTrue();
        assertThat(throttling.nanos()).isEqualTo(1_500_000_000L);
    }

    @Test
    void version1MayMountSeveralControllersTogether() throws IOException {
        v1("sys/fs/cgroup/cpu,cpuacct/app", 7);

        assertThat(CpuThrottling.of("3:cpu,cpuacct:/app\n", V1_BOTH, root.toFile()).nanos())
                .isEqualTo(7);
    }

    @Test
    void version2HasMicroseconds() throws IOException {
        v2("sys/fs/cgroup/app.slice", 2_500);

        assertThat(CpuThrottling.of("0::/app.slice\n", V2, root.toFile()).nanos())
                .isEqualTo(2_500_000);
    }

    @Test
    void whereBothVersionsAreMountedTheFirstHasTheCpuController() throws IOException {
        v1("sys/fs/cgroup/cpu/app", 5);
        v2("sys/fs/cgroup/unified/app", 9);

        assertThat(
                        CpuThrottling.of("1:cpu:/app\n0::/app\n", UNIFIED + V1_CPU, root.toFile())
                                .nanos())
                .isEqualTo(5);
    }

    @Test
    void theTimesOfAllLevelsAddUp() throws IOException {
        v2("sys/fs/cgroup/pod", 30);
        v2("sys/fs/cgroup/pod/container", 4);
        v2("sys/fs/cgroup/pod/another", 500);
        write("sys/fs/cgroup/cpu.stat", "usage_usec 77\n"); // the root has no quota

        assertThat(CpuThrottling.of("0::/pod/container\n", V2, root.toFile()).nanos())
                .isEqualTo(34_000);
    }

    @Test
    void aLevelWithoutTheCounterIsLeftOut() throws IOException {
        v2("sys/fs/cgroup/pod", 30);
        write("sys/fs/cgroup/pod/leaf/cpu.stat", "usage_usec 77\n");

        assertThat(CpuThrottling.of("0::/pod/leaf\n", V2, root.toFile()).nanos()).isEqualTo(30_000);
    }

    @Test
    void inAContainerTheGroupMayBeTheRootOfTheMount() throws IOException {
        v1("sys/fs/cgroup/cpu", 11);
        String mount = "32 31 0:29 /docker/1a2b /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";

        assertThat(CpuThrottling.of("1:cpu:/docker/1a2b\n", mount, root.toFile()).nanos())
                .isEqualTo(11);
        // with a name space of its own it does not even know the path
        assertThat(CpuThrottling.of("1:cpu:/\n", mount, root.toFile()).nanos()).isEqualTo(11);
        // moved to a group that the container does not show
        assertThat(CpuThrottling.of("1:cpu:/docker/9f\n", mount, root.toFile()).nanos())
                .isEqualTo(11);
    }

    @Test
    void aGroupBelowTheRootOfTheMountIsFound() throws IOException {
        v1("sys/fs/cgroup/cpu", 11);
        v1("sys/fs/cgroup/cpu/inner", 100);
        String mount = "32 31 0:29 /docker/1a2b /sys/fs/cgroup/cpu ro - cgroup cgroup rw,cpu\n";

        assertThat(CpuThrottling.of("1:cpu:/docker/1a2b/inner\n", mount, root.toFile()).nanos())
                .isEqualTo(111);
    }

    @Test
    void aPathOutsideOfTheMountIsNotFollowed() throws IOException {
        v2("sys/fs/cgroup", 1);
        v2("sys/fs/elsewhere", 1_000);

        assertThat(CpuThrottling.of("0::/../elsewhere\n", V2, root.toFile()).nanos())
                .isEqualTo(1_000);
    }

    @Test
    void theKernelWritesASpaceAsItsNumber() throws IOException {
        v2("c groups/app", 3);

        assertThat(
                        CpuThrottling.of(
                                        "0::/app\n",
                                        "30 23 0:26 / /c\\040groups rw - cgroup2 cgroup2 rw\n",
                                        root.toFile())
                                .nanos())
                .isEqualTo(3_000);
    }

    @Test
    void ofAControllerThatTheProcessHasNoGroupOfTheRootOfTheMountCounts() throws IOException {
        v1("sys/fs/cgroup/cpu", 11);
        v1("sys/fs/cgroup/cpu/other", 100);

        assertThat(CpuThrottling.of("4:memory:/other\n", V1_CPU, root.toFile()).nanos())
                .isEqualTo(11);
    }

    @Test
    void groupsWithoutTheCounterOrANumberAreUnknown() throws IOException {
        Path statistics = write("sys/fs/cgroup/app/cpu.stat", "usage_usec 77\n");
        assertThat(CpuThrottling.of("0::/app\n", V2, root.toFile()).isKnown()).isFalse();

        Files.writeString(statistics, "throttled_usec many\n");
        assertThat(CpuThrottling.of("0::/app\n", V2, root.toFile()).isKnown()).isFalse();
    }

    @Test
    void thisProcessIsInTheGroupsThatTheKernelLists() throws IOException {
        CpuThrottling listed =
                CpuThrottling.of(
                        Files.readString(Path.of("/proc/self/cgroup")),
                        Files.readString(Path.of("/proc/self/mountinfo")),
                        new File("/"));

        CpuThrottling own = CpuThrottling.ofThisProcess();

        assertThat(own.isKnown()).isEqualTo(listed.isKnown());
        // read first, because the time goes on
        long listedNanos = listed.nanos();
        assertThat(own.nanos()).isGreaterThanOrEqualTo(listedNanos);
    }

    @Test
    void withoutControlGroupsItIsUnknown() {
        assertThat(CpuThrottling.of("", OTHERS, root.toFile()).isKnown()).isFalse();
        assertThat(CpuThrottling.of("0::/\n", V2, root.toFile()).isKnown()).isFalse();
        assertThat(CpuThrottling.of("nonsense", "nonsense\n- - -\n", root.toFile()).isKnown())
                .isFalse();
        assertThat(CpuThrottling.NONE.nanos()).isZero();
    }

    @Test
    void whatIsRemovedTakesNothingBack() throws IOException {
        Path statistics = v2("sys/fs/cgroup/app", 3);
        CpuThrottling throttling = CpuThrottling.of("0::/app\n", V2, root.toFile());
        assertThat(throttling.nanos()).isEqualTo(3_000);

        Files.delete(statistics);

        assertThat(throttling.nanos()).isEqualTo(3_000);
    }

    private void v1(String group, long nanos) throws IOException {
        Path unused =
                write(
                        group + "/cpu.stat",
                        "nr_periods 9\nnr_throttled 8\nthrottled_time "
                                + nanos
                                + "\nnr_bursts 0\n");
    }

    private Path v2(String group, long micros) throws IOException {
        return write(
                group + "/cpu.stat",
                "usage_usec 99\nnr_periods 9\nnr_throttled 8\nthrottled_usec " + micros + "\n");
    }

    private Path write(String file, String content) throws IOException {
        Path path = root.resolve(file);
        Files.createDirectories(path.getParent());
        return Files.writeString(path, content);
    }
}
