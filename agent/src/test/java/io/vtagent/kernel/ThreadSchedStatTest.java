package io.vtagent.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.kernel.ThreadSchedStat.Times;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ThreadSchedStatTest {
    private volatile boolean over;

    private void park() {
        while (!over) {
            LockSupport.park();
        }
    }

    @Test
    void theFirstTwoNumbersAreTheTimes() {
        assertThat(ThreadSchedStat.parse("123 456 7\n")).isEqualTo(new Times(123, 456));
        assertThat(ThreadSchedStat.parse("123 456")).isEqualTo(new Times(123, 456));
    }

    @Test
    void aTextWithoutTwoNumbersHasNoTimes() {
        assertThat(ThreadSchedStat.parse("")).isNull();
        assertThat(ThreadSchedStat.parse("123\n")).isNull();
        assertThat(ThreadSchedStat.parse("123 many 7\n")).isNull();
    }

    @Test
    void theTimesOfALiveThreadAreKnownAndThoseOfOneThatHasEndedAreNot()
            throws InterruptedException {
        Thread parked = Thread.ofPlatform().start(this::park);
        long id = ThreadSchedStat.idOf(parked);
        assertThat(id).isGreaterThan(ThreadSchedStat.UNKNOWN);
        Times times = ThreadSchedStat.read(id);
        while (times != null && times.ranNanos() == 0) { // it has not run yet
            times = ThreadSchedStat.read(id);
        }
        assertThat(times).isNotNull();

        over = true;
        LockSupport.unpark(parked);
        parked.join();
        while (Files.exists(Path.of("/proc/self/task/" + id))) {
            Thread.onSpinWait();
        }
        assertThat(ThreadSchedStat.read(id)).isNull();
    }

    @Test
    void theTimesAreAvailableIfTheFileOfTheCurrentThreadHasACpuTime() {
        Times own = ThreadSchedStat.read(ThreadSchedStat.idOf(Thread.currentThread()));

        assertThat(ThreadSchedStat.isAvailable()).isEqualTo(own != null && own.ranNanos() > 0);
    }
}
