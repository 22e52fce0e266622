package io.vtagent.demo.workload;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class LoadTest {

    @Test
    void everyTaskRunsOnceAndOnAVirtualThread() throws Exception {
        Set<Integer> numbers = ConcurrentHashMap.newKeySet();
        AtomicInteger virtual = new AtomicInteger();

        Load.run(
                100,
                10,
                number -> {
                    numbers.add(number);
                    virtual.addAndGet(Thread.currentThread().isVirtual() ? 1 : 0);
                });

        assertThat(numbers).hasSize(100).contains(0, 99);
        assertThat(virtual).hasValue(100);
    }

    @Test
    void asManyTasksAsAllowedRunAtATimeAndNoMore() throws Exception {
        CyclicBarrier three = new CyclicBarrier(3);
        AtomicInteger running = new AtomicInteger();
        AtomicInteger most = new AtomicInteger();

        Load.run(
                999,
                3,
                number -> {
                    most.accumulateAndGet(running.incrementAndGet(), Math::max);
                    three.await();
                    running.decrementAndGet();
                });

        assertThat(most).hasValue(3);
    }

    @Test
    void aTaskThatFailsFailsTheRun() {
        assertThatThrownBy(
                        () ->
                                Load.run(
                                        10,
                                        10,
                                        number -> {
                                            throw new AssertionError("task " + number);
                                        }))
                .hasMessage("a task failed")
                .hasCauseInstanceOf(AssertionError.class);
    }
}
