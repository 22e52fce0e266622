package io.vtagent.usage;

import io.vtagent.kernel.ThreadSchedStat;
import io.vtagent.scheduler.CarrierPool;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * Divides the time of all carriers into held, running, runnable and idle. The four add up to the
 * time for which carriers have existed, including those that have ended since.
 *
 * <p>On Linux the kernel reports running and runnable time of each carrier. The rest is held as far
 * as pins account for it, and otherwise idle. Elsewhere the samples show how long a carrier was
 * idle, and the rest is running as far as no pin accounts for it.
 *
 * <p>A carrier counts from the first sample that finds it to the last one. What it ran before that
 * sample counts, too, unless it is older than the agent. Thread-safe by one lock, which is held
 * while the kernel's files are read.
 */
final class CarrierTimes {
    /** The times so far, in nanoseconds. None of them ever decreases. */
    record Times(long heldNanos, long runningNanos, long runnableNanos, long idleNanos) {}

    /** The kernel's figures of a thread. */
    interface Kernel {
        /** Returns the id of {@code carrier}, or {@link ThreadSchedStat#UNKNOWN}. */
        long idOf(Thread carrier);

        /** Returns the times of the thread with that id; null if it has ended. */
        ThreadSchedStat.@Nullable Times read(long id);
    }

    private static final class Known {
        /** Null if the kernel does not report the carrier's times. */
        private final @Nullable Long id;

        private long countedNanos;
        private long foundNanos;
        private long ranNanos;
        private long queuedNanos;
        private long idleNanos;

        Known(@Nullable Long id, long nowNanos) {
            this.id = id;
            countedNanos = nowNanos;
            foundNanos = nowNanos;
        }
    }

    private final Kernel kernel;
    private final Predicate<Thread> isIdle;
    private final Predicate<Thread> isOld;
    private final Map<Thread, Known> carriers = new HashMap<>();
    private long sampledNanos;
    private long heldSoFarNanos;
    private long heldNanos;
    private long runningNanos;
    private long runnableNanos;
    private long idleNanos;

    CarrierTimes(CarrierPool pool) {
        this(new OfThisSystem(), carrier -> pool.mountedOn(carrier) == null, pool::isOlderThanThis);
    }

    /**
     * @param isIdle returns whether a carrier carries no virtual thread; asked only if the kernel
     *     does not report its times
     * @param isOld returns whether a carrier is older than the agent
     */
    CarrierTimes(Kernel kernel, Predicate<Thread> isIdle, Predicate<Thread> isOld) {
        this.kernel = kernel;
        this.isIdle = isIdle;
        this.isOld = isOld;
    }

    private static final class OfThisSystem implements Kernel {
        private @Nullable Boolean available;

        @Override
        public long idOf(Thread carrier) {
            if (available == null) {
                available = ThreadSchedStat.isAvailable();
            }
            return available ? ThreadSchedStat.idOf(carrier) : ThreadSchedStat.UNKNOWN;
        }

        @Override
        public ThreadSchedStat.@Nullable Times read(long id) {
            return ThreadSchedStat.read(id);
        }
    }

    /**
     * Records which carriers exist.
     *
     * @param elapsedNanos the time since the sample before
     */
    synchronized void sample(long nowNanos, long elapsedNanos, List<Thread> existing) {
        for (Thread carrier : existing) {
            Known known = carriers.get(carrier);
            if (known == null) {
                carriers.put(carrier, found(carrier, nowNanos));
                continue;
            }
            known.foundNanos = nowNanos;
            if (known.id == null && isIdle.test(carrier)) {
                known.idleNanos += elapsedNanos;
            }
        }
        sampledNanos = nowNanos; // at last: if memory ran out, no carrier has ended
    }

    private Known found(Thread carrier, long nowNanos) {
        long id = kernel.idOf(carrier);
        ThreadSchedStat.Times times = id == ThreadSchedStat.UNKNOWN ? null : kernel.read(id);
        Known known = new Known(times == null ? null : id, nowNanos);
        if (times != null && isOld.test(carrier)) {
            known.ranNanos = times.ranNanos();
            known.queuedNanos = times.queuedNanos();
        } else if (times != null) {
            known.countedNanos -= times.ranNanos() + times.queuedNanos();
        }
        return known;
    }

    /**
     * Counts the time until now.
     *
     * @param heldUntilNowNanos for how long pins have held carriers since the agent started
     */
    synchronized Times count(long nowNanos, long heldUntilNowNanos) {
        long offNanos = 0;
        long mountedNanos = 0;
        long allNanos = 0;
        for (Iterator<Known> each = carriers.values().iterator(); each.hasNext(); ) {
            Known carrier = each.next();
            boolean ended = carrier.foundNanos < sampledNanos;
            ThreadSchedStat.Times times =
                    ended || carrier.id == null ? null : kernel.read(carrier.id);
            boolean exists = !ended && (carrier.id == null || times != null);
            long untilNanos = exists ? nowNanos : carrier.foundNanos;
            long newNanos = Math.max(untilNanos - carrier.countedNanos, 0);
            carrier.countedNanos += newNanos;
            allNanos += newNanos;
            if (carrier.id == null) {
                long idle = Math.min(carrier.idleNanos, newNanos);
                carrier.idleNanos -= idle;
                idleNanos += idle;
                mountedNanos += newNanos - idle;
            } else {
                offNanos += newNanos - (times == null ? 0 : countOnCpu(carrier, times, newNanos));
            }
            if (ended) {
                each.remove();
            }
        }
        countRest(offNanos, mountedNanos, allNanos, heldUntilNowNanos);
        return new Times(heldNanos, runningNanos, runnableNanos, idleNanos);
    }

    /**
     * Counts running and runnable time, and returns their sum. The kernel updates both with some
     * delay, so what exceeds {@code newNanos} is left for the next call.
     */
    private long countOnCpu(Known carrier, ThreadSchedStat.Times times, long newNanos) {
        long ran = Math.clamp(times.ranNanos() - carrier.ranNanos, 0, newNanos);
        long queued = Math.clamp(times.queuedNanos() - carrier.queuedNanos, 0, newNanos - ran);
        carrier.ranNanos += ran;
        carrier.queuedNanos += queued;
        runningNanos += ran;
        runnableNanos += queued;
        return ran + queued;
    }

    /**
     * Divides the time that is held or not.
     *
     * @param offNanos time off the CPU, held or idle
     * @param mountedNanos time with a virtual thread, held or running
     */
    private void countRest(long offNanos, long mountedNanos, long allNanos, long heldUntilNow) {
        long newHeld = Math.max(heldUntilNow - heldSoFarNanos, 0);
        long heldMounted = Math.min(newHeld, mountedNanos);
        long heldOff = Math.min(newHeld - heldMounted, offNanos);
        long counted = heldMounted + heldOff;
        heldNanos += counted;
        runningNanos += mountedNanos - heldMounted;
        idleNanos += offNanos - heldOff;
        // JFR reports pins late; what is more than that overlaps with running or runnable time
        heldSoFarNanos += Math.max(counted, newHeld - allNanos);
    }
}
