package io.vtagent.watch;

import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;

/** Holds every carrier of this JVM with a virtual thread that is parked, so that others stay queued, until it is closed. */
final class HeldCarriers implements AutoCloseable {
    private final CarrierPool pool;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean released;

    HeldCarriers() {
        try {
            pool = CarrierPool.ofThisJvm();
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this scheduler is not the known one", unknown);
        }
        for (int i = 0; i < pool.parallelism(); i++) {
            start();
        }
        while (!isComplete()) {
            if (isEveryoneMounted()) {
                start();
            }
            Thread.onSpinWait();
        }
    }

    private void start() {
        threads.add(Thread.ofVirtual().name("holder-" + threads.size()).start(this::hold));
    }

    private void hold() {
        VirtualThreads.pin();
        while (!released) {
            LockSupport.park(this);
        }
        VirtualThreads.unpin();
    }

    private boolean isEveryoneMounted() {
        return threads.stream().allMatch(VirtualThreads::isMounted);
    }

    private boolean isComplete() {
        List<Thread> carriers = pool.carriers();
        if (carriers.size() < pool.parallelism() || !carriers.stream().allMatch(each -> pool.mountedOn(each) != null)) {
            return false;
        }
        // from here on, whoever has a carrier keeps it, and whoever has none gets none
        List<Thread> mounted =
                threads.stream().filter(VirtualThreads::isMounted).toList();
        return mounted.size() < threads.size()
                && mounted.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)
                && pool.isWorkQueued();
    }

    CarrierPool pool() {
        return pool;
    }

    List<Thread> carriers() {
        return pool.carriers();
    }

    /** One that is ready to run and has no carrier. */
    Thread queued() {
        return threads.stream()
                .filter(thread -> !VirtualThreads.isMounted(thread))
                .findFirst()
                .orElseThrow();
    }

    /** One that has a carrier. */
    Thread holder() {
        return threads.stream().filter(VirtualThreads::isMounted).findFirst().orElseThrow();
    }

    @Override
    public void close() {
        release();
    }

    /** Lets all of them go on, and waits until they have ended. */
    void release() {
        released = true;
        for (Thread thread : threads) {
            try {
                LockSupport.unpark(thread);
                thread.join();
            } catch (InterruptedException unexpected) {
                throw new AssertionError(unexpected);
            }
        }
    }
}
