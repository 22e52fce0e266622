package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.scheduler.LiveThreads;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

class ThreadSampleTest {
    private static final int THREADS = 2_000;

    private final List<Thread> threads = new ArrayList<>();

    ThreadSampleTest() {
        for (int i = 0; i < THREADS; i++) {
            threads.add(Thread.ofVirtual().unstarted(() -> {}));
        }
    }

    private Set<Thread> sampled(long seed, int max) {
        ThreadSample sample = new ThreadSample(seed, max);
        threads.forEach(thread -> sample.offer(thread, LiveThreads.Container.ROOT));
        assertThat(sample.offered()).isEqualTo(threads.size());
        Set<Thread> sampled = new HashSet<>();
        sample.entries().forEach(entry -> sampled.add(entry.thread()));
        assertThat(sample.entries()).hasSameSizeAs(sampled);
        return sampled;
    }

    @Test
    void allThreadsAreTakenIfThereAreNoMoreThanFit() {
        assertThat(sampled(1, THREADS)).hasSameElementsAs(threads);
        assertThat(sampled(1, THREADS + 1)).hasSameElementsAs(threads);
    }

    @Test
    void asManyAreTakenAsFit() {
        assertThat(sampled(1, 100)).hasSize(100);
        assertThat(sampled(1, 0)).isEmpty();
    }

    @Test
    void aThreadThatWasTakenIsTakenAgain() {
        Set<Thread> before = sampled(7, 100);
        List<Thread> gone = List.copyOf(before).subList(0, 40);
        threads.removeAll(gone);

        Set<Thread> after = sampled(7, 100);

        before.removeAll(gone);
        assertThat(after).hasSize(100).containsAll(before);
    }

    @Test
    void aSmallSampleIsPartOfALargerOne() {
        assertThat(sampled(7, 500)).containsAll(sampled(7, 50));
    }

    /** Each thread is in a tenth of the samples: 50 of 500, with a deviation of 6.7. */
    @Test
    void eachThreadHasTheSameChance() {
        int[] taken = new int[threads.size()];
        for (int seed = 0; seed < 500; seed++) {
            Set<Thread> sampled = sampled(seed * 0x5851f42d4c957f2dL, THREADS / 10);
            for (int i = 0; i < taken.length; i++) {
                taken[i] += sampled.contains(threads.get(i)) ? 1 : 0;
            }
        }

        assertThat(Arrays.stream(taken).boxed())
                .allSatisfy(times -> assertThat(times).isBetween(10, 95));
    }
}
