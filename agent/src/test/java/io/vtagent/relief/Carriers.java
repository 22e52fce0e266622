package io.vtagent.relief;

import io.vtagent.scheduler.CarrierPool;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;

/** The carriers of a scheduler, which makes them when there is something to run. */
final class Carriers {
    private Carriers() {}

    /** Has as many made as {@code pool}, that of this JVM, aims at. */
    static void make(CarrierPool pool) throws InterruptedException {
        CountDownLatch running = new CountDownLatch(pool.parallelism());
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < pool.parallelism(); i++) {
            threads.add(Thread.startVirtualThread(running::countDown));
        }
        for (Thread thread : threads) {
            thread.join();
        }
    }
}
