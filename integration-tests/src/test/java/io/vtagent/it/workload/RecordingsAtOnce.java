package io.vtagent.it.workload;

import java.util.ArrayList;
import java.util.List;
import jdk.jfr.Recording;

/**
 * {@code THREADS TIMES}: that many threads each start a recording and close it while it runs, that
 * many times.
 */
public final class RecordingsAtOnce {
    private RecordingsAtOnce() {}

    public static void main(String[] arguments) throws InterruptedException {
        int times = Integer.parseInt(arguments[1]);
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < Integer.parseInt(arguments[0]); i++) {
            threads.add(Thread.ofPlatform().daemon().start(() -> record(times)));
        }
        for (Thread thread : threads) {
            thread.join();
        }
        System.out.println("done");
    }

    private static void record(int times) {
        for (int i = 0; i < times; i++) {
            try (Recording recording = new Recording()) {
                recording.start();
            }
        }
    }
}
