package io.vtagent.watch;

import io.vtagent.log.AgentLog;
import io.vtagent.record.Buckets;
import io.vtagent.record.CarrierArrivals;
import io.vtagent.record.Delays;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.CarrierPool;
import io.vtagent.vm.SubmissionQueue;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Measures how late a virtual thread starts to run: starts one on the application's scheduler every now and then, at random distances,
 * unless the last one still waits for a carrier. Only while the application uses virtual threads: without them there is no carrier, and
 * when they have come to rest the scheduler lets its carriers go as it would without the agent.
 *
 * <p>A thread of its own starts them. That can take long, when a carrier has to be added, and must not hold up who looks at the carriers.
 * It takes no lock but those of the JDK's that every thread takes, for a moment, which starts a virtual thread. Thread-safe.
 */
public final class DelayProbe {
    /** Who starts the threads, and each of them. */
    private static final String NAME = "vt-agent-delay";

    /** Without a sign of virtual threads for so long they have come to rest. So long the scheduler keeps a carrier that is idle. */
    static final long REST_NANOS = 30_000_000_000L;

    /** When they have come to rest, or never came: how often it is asked whether there are any now. */
    static final long ASKED_EVERY_NANOS = 500_000_000;

    private final CarrierPool pool;
    private final CarrierArrivals arrivals;
    private final long periodNanos;
    private final Delays delays;
    private final ThreadFactory threads;
    private final LongSupplier nanoTime;

    private volatile @Nullable Started newest;

    private boolean started;

    // for the thread that starts the others
    private long count;
    private long mountsOfApplication;
    private boolean used;
    private long usedAtNanos;
    private boolean refusalSaid;

    private record Started(Thread thread, long atNanos) {}

    /** @param periodNanos the mean time between two threads */
    public DelayProbe(CarrierPool pool, CarrierArrivals arrivals, long periodNanos, Buckets buckets) {
        this(pool, arrivals, periodNanos, buckets, onTheScheduler(), System::nanoTime);
    }

    /** @param threads makes them, for the scheduler that {@code pool} tells of */
    DelayProbe(
            CarrierPool pool,
            CarrierArrivals arrivals,
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
        usedAtNanos = nanoTime.getAsLong();
    }

    private static ThreadFactory onTheScheduler() {
        return Thread.ofVirtual()
                .name(NAME)
                .inheritInheritableThreadLocals(false)
                .uncaughtExceptionHandler((thread, cause) -> {}) // nothing to the application's handler
                .factory();
    }

    /** Begins, unless it has, until the JVM ends or the agent does. For one thread. */
    public void start() {
        if (!started) {
            AgentThread.start(NAME, this::run);
            started = true;
        }
    }

    /** Those that are over. */
    public Delays delays() {
        return delays;
    }

    /** The delay so far of the thread that waits for a carrier, in nanoseconds; 0 if none does. */
    public long currentNanos() {
        Started last = newest;
        return last != null && last.thread.isAlive() ? Math.max(nanoTime.getAsLong() - last.atNanos, 0) : 0;
    }

    private void run() {
        while (!AgentThread.isOver()) {
            long meanNanos = meanNanos();
            AgentThread.pause(meanNanos / 2 + ThreadLocalRandom.current().nextLong(meanNanos));
            try {
                round();
                if (!mayStart() && arrivals.isHeard()) {
                    arrivals.await(pool::hasCarriers, Long.MAX_VALUE);
                }
                refusalSaid = false;
            } catch (Throwable refused) { // by a scheduler that is shut down, or for want of memory
                say(refused);
            }
        }
    }

    /** The mean time until the next {@link #round}. */
    long meanNanos() {
        return isAtRest() ? Math.max(periodNanos, ASKED_EVERY_NANOS) : periodNanos;
    }

    private void say(Throwable refused) {
        try {
            if (!refusalSaid) {
                refusalSaid = true;
                AgentLog.debug("a virtual thread cannot be started, how late it would run is not known", refused);
            }
        } catch (Throwable noMemory) {
            // nor to say so
        }
    }

    /** Starts a thread if it is time for one. */
    void round() {
        Started last = newest;
        boolean waits = last != null && last.thread.isAlive();
        if (!waits && isInUse()) {
            Thread thread = threads.newThread(this::began);
            pool.leaveOut(thread);
            SubmissionQueue.change();
            newest = new Started(thread, nanoTime.getAsLong());
            thread.start();
            count++;
        }
    }

    /** On the thread that was started: whoever started it may have been told that it was not. */
    private void began() {
        Started last = newest;
        if (last != null && last.thread == Thread.currentThread()) {
            delays.add(nanoTime.getAsLong() - last.atNanos);
        }
    }

    /** Whether the application uses virtual threads. For when none of those that were started here is alive: each has been mounted once. */
    private boolean isInUse() {
        long mounts = pool.mounts() - count;
        if (mounts > mountsOfApplication || isAnyMounted()) {
            used = true;
            usedAtNanos = nanoTime.getAsLong();
            mountsOfApplication = Math.max(mounts, mountsOfApplication);
        }
        return mayStart();
    }

    /** Whether virtual threads are in use, as far as is known. */
    private boolean mayStart() {
        return used && !isAtRest();
    }

    private boolean isAtRest() {
        return nanoTime.getAsLong() - usedAtNanos > REST_NANOS;
    }

    private boolean isAnyMounted() {
        return pool.carriers().stream().anyMatch(carrier -> pool.mountedOn(carrier) != null);
    }
}
