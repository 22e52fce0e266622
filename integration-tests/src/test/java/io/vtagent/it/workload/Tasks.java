package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;

/** Runs a task on many virtual threads. */
public final class Tasks {

    /** The work of one thread; {@code number} counts from 0. */
    @FunctionalInterface
    public interface Task {
        void run(int number) throws Exception;
    }

    private Tasks() {}

    /**
     * Runs {@code task} on {@code count} virtual threads at once and waits for them all. One that
     * throws ends the JVM.
     */
    public static void run(int count, Task task) throws InterruptedException {
        join(start(count, task));
    }

    public static List<Thread> start(int count, Task task) {
        List<Thread> threads = new ArrayList<>(count);
        for (int i = 0; i < count; i++) {
            int number = i;
            threads.add(
                    Thread.ofVirtual()
                            .name("task-" + number)
                            .start(
                                    () -> {
                                        try {
                                            task.run(number);
                                        } catch (Throwable failure) {
                                            failure.printStackTrace();
                                            Runtime.getRuntime().halt(1);
                                        }
                                    }));
        }
        return threads;
    }

    public static void join(List<Thread> threads) throws InterruptedException {
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
