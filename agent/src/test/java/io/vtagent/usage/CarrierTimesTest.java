package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.kernel.ThreadSchedStat;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Tests the balance with made-up readings. */
class CarrierTimesTest {
    private static final Thread A = new Thread("a");
    private static final Thread B = new Thread("b");

    private final Map<Long, ThreadSchedStat.Times> kernel = new HashMap<>();
    private final Set<Thread> idle = new HashSet<>();
    private final Set<Thread> old = new HashSet<>(Set.of(A));
    private boolean isLinux = true;

    private final CarrierTimes times =
            new CarrierTimes(
                    new CarrierTimes.Kernel() {
                        @Override
                        public long idOf(Thread carrier) {
                            return isLinux ? carrier.threadId() : ThreadSchedStat.UNKNOWN;
                        }

                        @Override
                        public ThreadSchedStat.@Nullable Times read(long id) {
                            return kernel.get(id);
                        }
                    },
                    idle::contains,
                    old::contains);

    @Test
    void theFourAddUpToCarriersTimesTime() {
        kernel(A, 500, 50);
        kernel(B, 0, 0);
        times.sample(1_000, 0, List.of(A, B));
        kernel(A, 700, 100);
        kernel(B, 30, 0);
        times.sample(1_900, 900, List.of(A, B));

        CarrierTimes.Times counted = times.count(2_000, 600);

        assertThat(counted).isEqualTo(new CarrierTimes.Times(600, 230, 50, 1_120));
        assertThat(sum(counted)).isEqualTo(2 * 1_000);
    }

    @Test
    void whatTheKernelReportedBeforeDoesNotCountAgain() {
        kernel(A, 0, 0);
        times.sample(0, 0, List.of(A));
        kernel(A, 100, 50);
        assertThat(times.count(1_000, 0)).isEqualTo(new CarrierTimes.Times(0, 100, 50, 850));
        kernel(A, 200, 80);
        assertThat(times.count(2_000, 0)).isEqualTo(new CarrierTimes.Times(0, 200, 80, 1_720));
    }

    @Test
    void norDoIdleSamplesWhereTheKernelReportsNothing() {
        isLinux = false;
        idle.add(A);
        times.sample(0, 0, List.of(A));
        times.sample(300, 300, List.of(A));
        assertThat(times.count(1_000, 0)).isEqualTo(new CarrierTimes.Times(0, 700, 0, 300));
        assertThat(times.count(2_000, 0)).isEqualTo(new CarrierTimes.Times(0, 1_700, 0, 300));
        idle.clear();
        times.sample(2_500, 500, List.of(A));
        assertThat(times.count(3_000, 0)).isEqualTo(new CarrierTimes.Times(0, 2_700, 0, 300));
    }

    @Test
    void aCarrierThatHasEndedKeepsItsTimesAndCountsUntilItWasSampledLast() {
        kernel(A, 0, 0);
        kernel(B, 0, 0);
        times.sample(0, 0, List.of(A, B));
        kernel(B, 400, 100);
        CarrierTimes.Times before = times.count(1_000, 0);
        times.sample(1_500, 1_500, List.of(A, B));
        kernel.remove(B.threadId());
        times.sample(1_600, 100, List.of(A));

        CarrierTimes.Times counted = times.count(2_000, 0);

        assertThat(before.runningNanos()).isEqualTo(400);
        assertThat(counted).isEqualTo(new CarrierTimes.Times(0, 400, 100, 2_000 + 1_000));
        assertThat(times.count(3_000, 0)).isEqualTo(new CarrierTimes.Times(0, 400, 100, 4_000));
    }

    @Test
    void aCarrierThatIsGoneAlreadyAndStillInTheNewestSampleTakesNothingBack() {
        kernel(A, 0, 0);
        times.sample(0, 0, List.of(A));
        times.sample(1_000, 1_000, List.of(A));
        kernel.remove(A.threadId());

        assertThat(sum(times.count(1_500, 0))).isEqualTo(1_000);
        times.sample(2_000, 1_000, List.of());
        assertThat(sum(times.count(2_500, 0))).isEqualTo(1_000);
    }

    @Test
    void whatACarrierRanBeforeItWasFoundCountsUnlessItIsOlderThanTheAgent() {
        kernel(A, 100_000, 100_000);
        times.sample(1_000, 0, List.of(A));
        kernel(B, 300, 40);
        times.sample(1_600, 600, List.of(A, B));
        kernel(B, 350, 40);

        CarrierTimes.Times counted = times.count(2_000, 0);

        assertThat(counted).isEqualTo(new CarrierTimes.Times(0, 350, 40, 1_350));
        assertThat(sum(counted)).isEqualTo(1_000 + 400 + 340);
    }

    @Test
    void moreHeldTimeThanCarriersHadOffTheCpuIsNotCounted() {
        kernel(A, 0, 0);
        times.sample(0, 0, List.of(A));
        kernel(A, 900, 0);

        assertThat(times.count(1_000, 5_000)).isEqualTo(new CarrierTimes.Times(100, 900, 0, 0));
        times.sample(1_000, 1_000, List.of(A));
        assertThat(sum(times.count(10_000, 5_000))).isEqualTo(10_000);
    }

    @Test
    void heldTimeThatIsReportedLateIsCountedLater() {
        kernel(A, 0, 0);
        times.sample(0, 0, List.of(A));
        kernel(A, 900, 0);
        assertThat(times.count(1_000, 600).heldNanos()).isEqualTo(100);

        assertThat(times.count(2_000, 600).heldNanos()).isEqualTo(600);
    }

    @Test
    void whatTheKernelReportsLateIsCountedWithTheNextReading() {
        kernel(A, 0, 0);
        times.sample(0, 0, List.of(A));
        kernel(A, 1_004, 10);

        assertThat(times.count(1_000, 0)).isEqualTo(new CarrierTimes.Times(0, 1_000, 0, 0));
        assertThat(times.count(2_000, 0)).isEqualTo(new CarrierTimes.Times(0, 1_004, 10, 986));
    }

    @Test
    void elsewhereThanOnLinuxRunnableIsPartOfRunning() {
        isLinux = false;
        times.sample(0, 0, List.of(A, B));
        idle.add(B);
        times.sample(1_000, 1_000, List.of(A, B));

        CarrierTimes.Times counted = times.count(1_000, 300);

        assertThat(counted).isEqualTo(new CarrierTimes.Times(300, 700, 0, 1_000));
    }

    @Test
    void noFigureEverDecreases() {
        kernel(A, 500, 500);
        times.sample(0, 0, List.of(A));
        CarrierTimes.Times before = times.count(1_000, 900);
        kernel(A, 400, 300); // the id stands for another thread now
        CarrierTimes.Times after = times.count(2_000, 800);

        assertThat(after.heldNanos()).isGreaterThanOrEqualTo(before.heldNanos());
        assertThat(after.runningNanos()).isGreaterThanOrEqualTo(before.runningNanos());
        assertThat(after.runnableNanos()).isGreaterThanOrEqualTo(before.runnableNanos());
        assertThat(after.idleNanos()).isGreaterThanOrEqualTo(before.idleNanos());
    }

    private void kernel(Thread carrier, long ranNanos, long queuedNanos) {
        kernel.put(carrier.threadId(), new ThreadSchedStat.Times(ranNanos, queuedNanos));
    }

    private static long sum(CarrierTimes.Times times) {
        return times.heldNanos() + times.runningNanos() + times.runnableNanos() + times.idleNanos();
    }
}
