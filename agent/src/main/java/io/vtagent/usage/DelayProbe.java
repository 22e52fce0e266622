package io.vtagent.usage;

import io.vtagent.hook.CarrierStartSignal;
import io.vtagent.ledger.Delays;
import io.vtagent.log.AgentLog;
import io.vtagent.pin.Buckets;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.SubmissionQueue;
import io.vtagent.thread.AgentThread;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how late a virtual thread starts to run. Starts a virtual thread, the probe, on the
 * application's scheduler every now and then, at random intervals.
 *
 * <p>It starts no probe where no virtual thread of the application's would run. One of these must
 * have been mounted since the last check, or one must be queued for which there is no carrier. So
 * an idle carrier, in particular a spare one, ends when the JDK would end it (ForkJoinPool's
 * keep-alive of 30 s), and a scheduler that would no longer add a carrier is not kept from that
 * state. While the same virtual threads stay on their carriers, probes become less and less
 * frequent. There is at most one probe at a time.
 *
 * <p>A thread of its own starts the probes, because that can take long when a carrier has to be
 * added, and must not delay the sampler. That thread takes no locks except those of the JDK's that
 * each thread which starts a virtual thread takes for a moment. Thread-safe.
 */
public final class DelayProbe {
    /** The name of the thread that starts the probes, and of each probe. */
    private static final String NAME = "vt-agent-delay";

    /** The time without a mount after which the application's virtual threads are idle. */
    static final long IDLE_NANOS = 30_000_000_000L;

    /** The least mean time between two checks for a mount while they are idle. */
    static final long IDLE_CHECK_NANOS = 500_000_000;

    /**
     * The greatest factor by which the period grows while the same threads stay on their carriers.
     */
    static final int MAX_PERIODS = 16;

    private final CarrierPool pool;
    private final CarrierStartSignal arrivals;
    private final long periodNanos;
    private final Delays delays;
    private final ThreadFactory threads;
    private final LongSupplier nanoTime;

    private volatile @Nullable Started newest;

    private boolean started;

    // for the thread that starts the probes
    private long count;
    private long mountsOfApplication;
    private Map<Thread, Thread> mounted = Map.of();
    private long mountedAtNanos;
    private int periods = 1;
    private boolean refusalLogged;

    private record Started(Thread thread, long atNanos) {}

    /**
     * @param periodNanos the mean time between two probes
     */
    public DelayProbe(
            CarrierPool pool, CarrierStartSignal arrivals, long periodNanos, Buckets buckets) {
        this(pool, arrivals, periodNanos, buckets, onTheScheduler(), System::nanoTime);
    }

    /**
     * @param threads creates the probes, for the scheduler of {@code pool}
     */
    DelayProbe(
            CarrierPool pool,
            CarrierStartSignal arrivals,
            long periodNanos,
            Buckets buckets,
            ThreadFactory threads,
            LongSupplier nanoTime) {
        this.pool = pool;
        this.arrivals = arrivals;
        this.periodNanos = periodNanos;
        this.threads = threads;
        this.nanoTime = nanoTime;
        delays = new Delays(buckets);
        mountedAtNanos = nanoTime.getAsLong();
    }

    private static ThreadFactory onTheScheduler() {
        return Thread.ofVirtual()
                .name(NAME)
                .inheritInheritableThreadLocals(false)
                .uncaughtExceptionHandler(
                        (thread, cause) -> {}) // the application's handler gets nothing
                .factory();
    }

    /**
     * Starts the probes, unless they have been started, until the JVM or the agent ends. For one
     * thread.
     */
    public void start() {
        if (!started) {
            AgentThread.start(NAME, this::run);
            started = true;
        }
    }

    /** Returns the delays of the probes that are over. */
    public Delays delays() {
        return delays;
    }

    /**
     * Returns the delay so far of a probe that waits for a carrier, in nanoseconds; 0 if none
     * waits.
     */
    public long currentNanos() {
        Started last = newest;
        return last != null && last.thread.isAlive()
                ? Math.max(nanoTime.getAsLong() - last.atNanos, 0)
                : 0;
    }

    private void run() {
        while (!AgentThread.isDetached()) {
            long meanNanos = meanNanos();
            AgentThread.pause(meanNanos / 2 + ThreadLocalRandom.current().nextLong(meanNanos));
            try {
                round();
                if (!pool.hasCarriers() && arrivals.hasArrived()) {
                    arrivals.await(pool::hasCarriers, Long.MAX_VALUE);
                }
                refusalLogged = false;
            } catch (Throwable refused) { // the scheduler is shut down, or memory is short
                logRefusal(refused);
            }
        }
    }

    /** Returns the mean time until the next {@link #round}. */
    long meanNanos() {
        boolean idle = nanoTime.getAsLong() - mountedAtNanos > IDLE_NANOS;
        return Math.max(periodNanos * periods, idle ? IDLE_CHECK_NANOS : 0);
    }

    private void logRefusal(Throwable refused) {
        try {
            if (!refusalLogged) {
                refusalLogged = true;
                AgentLog.debug(
                        "a virtual thread cannot be started, so its delay is not known", refused);
            }
        } catch (Throwable noMemory) {
            // not enough to log it either
        }
    }

    /** Starts a probe if a virtual thread of the application's would run, or wait, in its place. */
    void round() {
        Started last = newest;
        boolean waits = last != null && last.thread.isAlive();
        boolean moved = hasMoved();
        if (!waits && (moved || isQueueStuck())) {
            Thread thread = threads.newThread(this::began);
            pool.exclude(thread);
            SubmissionQueue.change();
            newest = new Started(thread, nanoTime.getAsLong());
            thread.start();
            count++;
        }
    }

    /**
     * Called on the probe. It checks that it is the newest, because {@code Thread.start} may have
     * failed for a thread that runs nevertheless.
     */
    private void began() {
        Started last = newest;
        if (last != null && last.thread == Thread.currentThread()) {
            delays.add(nanoTime.getAsLong() - last.atNanos);
        }
    }

    /**
     * Returns whether a virtual thread of the application's has been mounted since the previous
     * call. The scheduler counts a mount only when it is over, so the mounted threads are compared
     * as well.
     */
    private boolean hasMoved() {
        Map<Thread, Thread> before = mounted;
        Map<Thread, Thread> now = new HashMap<>();
        boolean moved = false;
        boolean stayed = false;
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            if (thread != null) {
                now.put(carrier, thread);
                boolean same = before.get(carrier) == thread;
                stayed |= same;
                moved |= !same;
            }
        }
        long mounts = pool.mounts() - count; // each probe is mounted once
        moved |= mounts > mountsOfApplication;
        mountsOfApplication = Math.max(mounts, mountsOfApplication);
        mounted = now;
        periods = stayed ? Math.min(2 * periods, MAX_PERIODS) : 1;
        if (moved) {
            mountedAtNanos = nanoTime.getAsLong();
        }
        return moved;
    }

    /**
     * Returns whether virtual threads are queued, no carrier is idle, and none would be added up to
     * the scheduler's parallelism. One more thread in the queue then wakes no carrier.
     */
    private boolean isQueueStuck() {
        return pool.isWorkQueued()
                && pool.size() >= pool.parallelism()
                && pool.carriers().stream().noneMatch(carrier -> pool.mountedOn(carrier) == null);
    }
}
