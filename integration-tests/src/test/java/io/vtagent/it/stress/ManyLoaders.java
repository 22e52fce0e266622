package io.vtagent.it.stress;

import io.vtagent.it.workload.WorkloadConsole;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code LOADERS}: makes and drops that many class loaders, each with a class that has a monitor,
 * and prints what is left of them.
 */
public final class ManyLoaders {
    private static final int MAX_ATTEMPTS = 100;

    private ManyLoaders() {}

    public static void main(String[] arguments) throws Exception {
        int loaders = Integer.parseInt(arguments[0]);
        WorkloadConsole.printAndWait("started");
        long classesBefore = left(load(loaders));
        long metaspaceBefore = metaspaceKib();
        long heapBefore = heapKib();
        List<WeakReference<ClassLoader>> made = load(loaders);
        WorkloadConsole.fact(
                "loaded", ManagementFactory.getClassLoadingMXBean().getTotalLoadedClassCount());
        long classes = left(made);
        WorkloadConsole.fact(
                "loadersLeft", made.stream().filter(loader -> loader.get() != null).count());
        WorkloadConsole.fact("classesMore", (classes - classesBefore));
        WorkloadConsole.fact("metaspaceKibMore", metaspaceKib() - metaspaceBefore);
        WorkloadConsole.fact("heapKibMore", heapKib() - heapBefore);
        WorkloadConsole.done();
    }

    private static long metaspaceKib() {
        return ManagementFactory.getMemoryPoolMXBeans().stream()
                        .filter(pool -> pool.getName().equals("Metaspace"))
                        .mapToLong(pool -> pool.getUsage().getUsed())
                        .sum()
                >> 10;
    }

    private static long heapKib() {
        return ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 10;
    }

    private static List<WeakReference<ClassLoader>> load(int loaders) throws InterruptedException {
        List<WeakReference<ClassLoader>> made = new ArrayList<>();
        Thread thread =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    for (int i = 0; i < loaders; i++) {
                                        made.add(
                                                new WeakReference<>(
                                                        Initialized.inLoaderOfItsOwn()));
                                    }
                                });
        thread.join();
        return made;
    }

    /**
     * Returns how many classes there are when {@code made} are gone, or when that takes too long.
     */
    private static long left(List<WeakReference<ClassLoader>> made) throws InterruptedException {
        for (int i = 0; i < MAX_ATTEMPTS; i++) {
            System.gc();
            if (made.stream().allMatch(loader -> loader.get() == null)) {
                break;
            }
            Thread.sleep(50);
        }
        System.gc();
        return ManagementFactory.getClassLoadingMXBean().getLoadedClassCount();
    }
}
