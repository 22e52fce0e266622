package io.vtagent.sampler;

import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.VirtualThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds as many carriers as a scheduler aims at, each with a virtual thread that is parked, so that
 * others stay queued, until it is closed.
 */
public final class HeldCarriers implements AutoCloseable {
    private final CarrierPool pool;
    private final Function<Runnable, Thread> factory;
    private final List<Thread> threads = new ArrayList<>();
    private volatile boolean released;
    private volatile @Nullable Thread movedOn;

    /** Holds those of this JVM. */
    public HeldCarriers() {
        this(ofThisJvm(), Thread.ofVirtual()::unstarted);
    }

    /**
     * @param factory makes virtual threads that {@code pool} schedules
     */
    public HeldCarriers(CarrierPool pool, Function<Runnable, Thread> factory) {
        this.pool = pool;
        this.factory = factory;
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

    /** Makes {@code more} threads wait for a carrier, to hold it. */
    public void queue(int more) {
        for (int i = 0; i < more; i++) {
            start();
        }
    }

    private static CarrierPool ofThisJvm() {
        try {
            return CarrierPool.ofThisJvm();
        } catch (ReflectiveOperationException unknown) {
            throw new LinkageError("this scheduler is not the known one", unknown);
        }
    }

    private void start() {
        Thread holder = factory.apply(this::hold);
        holder.setName("holder-" + threads.size());
        threads.add(holder);
        holder.start();
    }

    private void hold() {
        VirtualThreads.pin();
        while (!released && Thread.currentThread() != movedOn) {
            LockSupport.park(this);
        }
        VirtualThreads.unpin();
    }

    private boolean isEveryoneMounted() {
        return threads.stream().allMatch(VirtualThreads::isMounted);
    }

    private boolean isComplete() {
        // carriers that other tests have added are idle, and are not woken while as many as the
        // scheduler aims at are at work
        int carriers = carriers().size();
        if (carriers < pool.parallelism() || carriers != pool.atWork()) {
            return false;
        }
        // since now, each thread keeps the carrier that it has, and no other thread gets one
        List<Thread> mounted = threads.stream().filter(VirtualThreads::isMounted).toList();
        return mounted.size() < threads.size()
                && mounted.stream().allMatch(thread -> thread.getState() == Thread.State.WAITING)
                && pool.isWorkQueued();
    }

    public CarrierPool pool() {
        return pool;
    }

    /** Returns the carriers that are held: all except idle ones. */
    public List<Thread> carriers() {
        return pool.carriers().stream().filter(each -> pool.mountedOn(each) != null).toList();
    }

    /** Returns the carrier on which {@code mounted} is mounted. */
    public Thread carrierOf(Thread mounted) {
        return carriers().stream()
                .filter(carrier -> pool.mountedOn(carrier) == mounted)
                .findFirst()
                .orElseThrow();
    }

    /** One that is ready to run and has no carrier. */
    public Thread queued() {
        return threads.stream()
                .filter(thread -> !VirtualThreads.isMounted(thread))
                .findFirst()
                .orElseThrow();
    }

    /** One that has a carrier. */
    public Thread holder() {
        return threads.stream().filter(VirtualThreads::isMounted).findFirst().orElseThrow();
    }

    @Override
    public void close() {
        release();
    }

    /** Lets {@code one} go on, and waits until it has ended. */
    public void release(Thread one) {
        movedOn = one;
        endOf(one);
    }

    /** Lets all of them go on, and waits until they have ended. */
    public void release() {
        released = true;
        threads.forEach(HeldCarriers::endOf);
    }

    private static void endOf(Thread thread) {
        try {
            LockSupport.unpark(thread);
            thread.join();
        } catch (InterruptedException unexpected) {
            throw new AssertionError(unexpected);
        }
    }
}
