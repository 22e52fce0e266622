package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import org.junit.jupiter.api.Test;

class LiveThreadsTest {
    private final LiveThreads live;
    private final CountDownLatch over = new CountDownLatch(1);

    LiveThreadsTest() throws ReflectiveOperationException {
        live = LiveThreads.ofThisJvm();
    }

    private void await() {
        try {
            over.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the containers of the threads with the prefix {@code of}, and how many are there. */
    private Map<String, Integer> containersOf(String of) {
        Map<String, Integer> containers = new TreeMap<>();
        boolean all =
                live.forEach(
                        (thread, container) -> {
                            assertThat(thread.isVirtual()).isTrue();
                            if (thread.getName().startsWith(of)) {
                                containers.merge(container.name(), 1, Integer::sum);
                            }
                            return true;
                        });
        assertThat(all).isTrue();
        return containers;
    }

    @Test
    void allThreadsAreListedAndCountedWithTheirContainers() throws InterruptedException {
        ThreadFactory virtual = Thread.ofVirtual().name("live-", 0).factory();
        List<Thread> direct = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            direct.add(Thread.ofVirtual().name("live-direct").start(this::await));
        }
        Map<String, Integer> containers;
        long most;
        long counted;
        long least;
        try (ExecutorService perTask = Executors.newThreadPerTaskExecutor(virtual);
                ExecutorService platform =
                        Executors.newThreadPerTaskExecutor(Thread.ofPlatform().factory());
                ExecutorService pool = Executors.newFixedThreadPool(5, virtual)) {
            for (int i = 0; i < 20; i++) {
                perTask.execute(this::await);
                platform.execute(this::await);
                pool.execute(this::await);
            }
            containers = containersOf("live-");

            // threads of other tests may end meanwhile
            most = visited();
            counted = live.count();
            least = visited();
            // before an assertion fails: closing the executors waits for the threads
            over.countDown();
        }
        assertThat(live.areAllKnown()).isTrue();
        assertThat(least).isGreaterThanOrEqualTo(30 + 20 + 5);
        assertThat(counted).isBetween(least, most);
        assertThat(containers).hasSize(3).containsEntry("", 30);
        assertThat(containers.keySet())
                .anyMatch(
                        name ->
                                name.matches(
                                        "java.util.concurrent.ThreadPerTaskExecutor@[0-9a-f]+"))
                .anyMatch(name -> name.contains("ThreadPoolExecutor"));
        assertThat(containers.values()).containsExactlyInAnyOrder(30, 20, 5);
        for (Thread thread : direct) {
            thread.join();
        }
        assertThat(containersOf("live-")).isEmpty();
        assertThat(live.count()).isLessThanOrEqualTo(counted - 30 - 20 - 5);
    }

    private long visited() {
        long[] count = new long[1];
        boolean all =
                live.forEach(
                        (thread, container) -> {
                            count[0]++;
                            return true;
                        });
        assertThat(all).isTrue();
        return count[0];
    }

    @Test
    void aVisitorMayStop() {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            started.add(Thread.ofVirtual().start(this::await));
        }
        List<Thread> visited = new ArrayList<>();

        boolean all =
                live.forEach(
                        (thread, container) -> {
                            visited.add(thread);
                            return visited.size() < 3;
                        });

        assertThat(all).isFalse();
        assertThat(visited).hasSize(3);
        over.countDown();
        assertThat(started).hasSize(10);
    }
}
