package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.sampler.HeldCarriers;
import io.vtagent.site.FramesOfInterest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;

class ThreadCountsTest {
    @Test
    void threadsAreMountedOrQueuedOrWait() throws InterruptedException {
        List<Thread> waiting = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            waiting.add(Thread.ofVirtual().start(LockSupport::park));
        }
        for (Thread thread : waiting) {
            while (thread.getState() != Thread.State.WAITING) {
                Thread.onSpinWait();
            }
        }
        try (HeldCarriers all = new HeldCarriers()) {
            ThreadCounts counts =
                    new ThreadCounts(
                            all.pool(),
                            new ThreadGroupReader(all.pool(), new FramesOfInterest(64)));
            long others = counts.others();

            assertThat(counts.mounted()).isEqualTo(all.carriers().size());
            assertThat(counts.queued()).isPositive().isEqualTo(all.pool().queued());
            assertThat(others).isGreaterThanOrEqualTo(waiting.size());
            assertThat(counts.all()).isEqualTo(counts.mounted() + counts.queued() + others);
        }
        for (Thread thread : waiting) {
            LockSupport.unpark(thread);
            thread.join();
        }
    }
}
