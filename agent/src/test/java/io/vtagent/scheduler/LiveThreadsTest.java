package io.vtagent.scheduler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.entry;

import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class LiveThreadsTest {
    private static final long VISIT_NANOS = 3;

    private final LiveThreads live;
    private final CountDownLatch over = new CountDownLatch(1);

    LiveThreadsTest() throws ReflectiveOperationException {
        live = LiveThreads.ofThisJvm();
    }

    @AfterEach
    void end() {
        over.countDown();
    }

    private void await() {
        try {
            over.await();
        } catch (InterruptedException stopped) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the containers of the threads with the prefix {@code of}, and how many are there. */
    private static Map<String, Integer> containersOf(String of, LiveThreads live) {
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
            try {
                for (int i = 0; i < 20; i++) {
                    perTask.execute(this::await);
                    platform.execute(this::await);
                    pool.execute(this::await);
                }
                containers = containersOf("live-", live);

                // threads of other tests may end meanwhile
                most = visited();
                counted = live.count();
                least = visited();
            } finally {
                // closing the executors waits for the threads
                over.countDown();
            }
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
        assertThat(containersOf("live-", live)).isEmpty();
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
    void aVisitorMayStopAtAThreadOfAnExecutor() {
        ThreadFactory virtual = Thread.ofVirtual().name("stop-", 0).factory();
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(virtual)) {
            try {
                executor.execute(this::await);

                boolean all =
                        live.forEach((thread, container) -> !thread.getName().startsWith("stop-"));

                assertThat(all).isFalse();
            } finally {
                over.countDown();
            }
        }
    }

    @Test
    void aJdkThatDoesNotTrackThreadsKnowsThoseOfExecutorsAlone()
            throws ReflectiveOperationException {
        LiveThreads untracked = new LiveThreads(false, Object.class, System::nanoTime);
        ThreadFactory virtual = Thread.ofVirtual().name("untracked-", 0).factory();
        Thread direct = Thread.ofVirtual().name("untracked-direct").start(this::await);
        List<Thread> visited = new ArrayList<>();
        try (ExecutorService executor = Executors.newThreadPerTaskExecutor(virtual)) {
            try {
                executor.execute(this::await);
                boolean unused = untracked.forEach((thread, container) -> visited.add(thread));
            } finally {
                over.countDown();
            }
        }

        assertThat(untracked.areAllKnown()).isFalse();
        assertThat(untracked.count()).isEqualTo(LiveThreads.UNKNOWN);
        assertThat(visited).anyMatch(thread -> thread.getName().equals("untracked-0"));
        assertThat(visited).doesNotContain(direct);
    }

    /**
     * A container that only the thread refers to that has opened it, as that of a {@code
     * StructuredTaskScope}, which is a preview in some releases.
     */
    private static final class Scope {
        private final Object container;

        Scope(String name) throws ReflectiveOperationException {
            var constructor =
                    Class.forName("jdk.internal.vm.SharedThreadContainer")
                            .getDeclaredConstructor(String.class);
            constructor.setAccessible(true);
            container = constructor.newInstance(name);
        }

        /** Does what {@code StackableScope.push} does, for the first scope of a thread. */
        void open() throws ReflectiveOperationException {
            head().set(Thread.currentThread(), container);
        }

        void close() throws ReflectiveOperationException {
            head().set(Thread.currentThread(), null);
        }

        private static Field head() throws ReflectiveOperationException {
            Field head = Thread.class.getDeclaredField("headStackableScopes");
            head.setAccessible(true);
            return head;
        }

        void start(Thread thread) throws ReflectiveOperationException {
            Object unused =
                    container.getClass().getMethod("start", Thread.class).invoke(container, thread);
        }
    }

    /** Is never initialized. */
    private static final class NeverUsed {}

    @Test
    void theThreadsOfScopesAreFoundOnceScopesAreUsed()
            throws ReflectiveOperationException, InterruptedException {
        LiveThreads withScopes = new LiveThreads(true, Object.class, System::nanoTime);
        LiveThreads withoutScopes = new LiveThreads(true, NeverUsed.class, System::nanoTime);
        Scope outer = new Scope("outer");
        Scope inner = new Scope("inner");
        outer.open();
        try {
            CountDownLatch opened = new CountDownLatch(1);
            outer.start(
                    Thread.ofVirtual()
                            .name("scope-outer")
                            .unstarted(() -> openAndAwait(inner, opened)));
            opened.await();
            inner.start(Thread.ofVirtual().name("scope-inner").unstarted(this::await));
            Map<String, String> containers = new TreeMap<>();

            boolean all =
                    withScopes.forEach(
                            (thread, container) -> {
                                if (thread.getName().startsWith("scope-")) {
                                    containers.put(thread.getName(), container.name());
                                }
                                return true;
                            });
            Map<String, Integer> missed = containersOf("scope-", withoutScopes);

            assertThat(all).isTrue();
            assertThat(containers)
                    .containsExactly(entry("scope-inner", "inner"), entry("scope-outer", "outer"));
            assertThat(missed).as("while no scope is used").isEmpty();
        } finally {
            over.countDown();
            outer.close();
        }
    }

    private void openAndAwait(Scope scope, CountDownLatch opened) {
        try {
            scope.open();
            try {
                opened.countDown();
                await();
            } finally {
                scope.close();
            }
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this JDK has other containers", unknown);
        }
    }

    @Test
    void afterAVisitOfAllThreadsTheNextOneIsMadeOnlyAfterFiftyTimesAsLong()
            throws ReflectiveOperationException, InterruptedException {
        AtomicLong nanos = new AtomicLong(1_000);
        // each visit reads it twice
        LiveThreads withScopes =
                new LiveThreads(true, Object.class, () -> nanos.getAndAdd(VISIT_NANOS));
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 30; i++) {
            started.add(Thread.ofVirtual().start(this::await));
        }
        long counted = withScopes.count();
        assertThat(counted).isGreaterThanOrEqualTo(30);
        over.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        long visitedAtNanos = nanos.get() - VISIT_NANOS;

        nanos.set(visitedAtNanos + 50 * VISIT_NANOS - 1);
        assertThat(withScopes.count()).as("that of the last visit").isEqualTo(counted);
        nanos.set(visitedAtNanos + 50 * VISIT_NANOS);
        assertThat(withScopes.count()).isLessThanOrEqualTo(counted - 30);
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
        assertThat(started).hasSize(10);
    }
}
