package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.instrument.WrappedClasses.Change;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.BrokenBarrierException;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CyclicBarrier;
import java.util.function.Consumer;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class WrappedClassesTest {
    private static final int THREADS = 4;
    private static final int LOADERS = 2_000;
    private static final int ROUNDS = 10;
    private static final Change CHANGE = new Change(Set.of("run()V"), 7L);

    private final WrappedClasses classes = new WrappedClasses();

    @Test
    void aClassIsRememberedForItsLoaderAlone() {
        ClassLoader loader = loader();
        ClassLoader other = loader();

        assertThat(classes.put(loader, "a/B", Change.NONE)).isTrue();
        assertThat(classes.put(loader, "a/B", CHANGE)).isFalse();
        assertThat(classes.put(other, "a/C", CHANGE)).isTrue();

        assertThat(classes.get(loader, "a/B")).isEqualTo(CHANGE);
        assertThat(classes.get(loader, "a/C")).isNull();
        assertThat(classes.get(other, "a/B")).isNull();
        assertThat(classes.contains("a.C")).isTrue();
        assertThat(classes.loaders()).isEqualTo(2);
        classes.remove(loader, "a/B");
        assertThat(classes.get(loader, "a/B")).isNull();
        assertThat(classes.contains("a.B")).isFalse();
    }

    @Test
    void threadsThatLoadClassesDoNotWaitForEachOtherWhenMuchIsForgotten() throws Exception {
        blockedCounts(names -> putAll(loader(), names)); // to load a class takes locks of the JDK's
        for (int round = 0; round < ROUNDS; round++) {
            List<ClassLoader> loaders = loaders();
            loaders.forEach(loader -> classes.put(loader, "a/B", CHANGE));
            ClassLoader shared = loader();
            loaders.clear();
            System.gc();

            List<Long> blocked = blockedCounts(names -> putAll(shared, names));

            assertThat(blocked).hasSize(THREADS).containsOnly(0L);
            assertThat(classes.loaders()).isEqualTo(1);
            for (int number = 0; number < THREADS; number++) {
                assertThat(names(number))
                        .allMatch(name -> CHANGE.equals(classes.get(shared, name)));
            }
        }
    }

    private void putAll(ClassLoader loader, List<String> names) {
        classes.loaders();
        for (String name : names) {
            classes.put(loader, name, CHANGE);
        }
    }

    private static List<String> names(int number) {
        return IntStream.range(0, LOADERS).mapToObj(i -> "a/" + i + "/" + number).toList();
    }

    /**
     * Returns, for each of some threads that run {@code task} at once, how often it has waited for
     * a monitor.
     */
    private static List<Long> blockedCounts(Consumer<List<String>> task) throws Exception {
        ThreadMXBean beans = ManagementFactory.getThreadMXBean();
        ConcurrentLinkedQueue<Long> counts = new ConcurrentLinkedQueue<>();
        CyclicBarrier together = new CyclicBarrier(THREADS);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < THREADS; i++) {
            List<String> names = names(i);
            threads.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try {
                                            together.await();
                                            long id = Thread.currentThread().threadId();
                                            long before = beans.getThreadInfo(id).getBlockedCount();
                                            task.accept(names);
                                            counts.add(
                                                    beans.getThreadInfo(id).getBlockedCount()
                                                            - before);
                                        } catch (InterruptedException
                                                | BrokenBarrierException failed) {
                                            throw new IllegalStateException(failed);
                                        }
                                    }));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        return List.copyOf(counts);
    }

    private static List<ClassLoader> loaders() {
        List<ClassLoader> loaders = new ArrayList<>();
        for (int i = 0; i < LOADERS; i++) {
            loaders.add(loader());
        }
        return loaders;
    }

    private static ClassLoader loader() {
        return new ClassLoader(null) {};
    }
}
