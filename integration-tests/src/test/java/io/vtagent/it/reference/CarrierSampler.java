package io.vtagent.it.reference;

import io.vtagent.it.reference.HeldTime.Doing;
import java.lang.management.ManagementFactory;
import java.lang.management.ThreadMXBean;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.LockSupport;

/**
 * The reference sampler: a platform thread that samples every carrier once per millisecond. A
 * carrier is held while it carries a virtual thread and is off-CPU, for another reason than that it
 * waits for a CPU.
 *
 * <p>The time between two samples of a carrier counts half as what the first one found, half as
 * what the second one found, so that a late sample favours neither. The period varies at random,
 * because a fixed one might keep step with the workload.
 */
final class CarrierSampler implements AutoCloseable {
    private static final long PERIOD_NANOS = 1_000_000;
    private static final int MAX_CARRIERS = 1_024;

    private final ThreadMXBean management = ManagementFactory.getThreadMXBean();
    private final ThreadGroup carrierGroup;
    private final Thread[] found = new Thread[MAX_CARRIERS];
    private final Map<Thread, SampledCarrier> carriers = new HashMap<>();
    private final long[] nanos = new long[Doing.values().length];
    private final Thread sampling;
    private volatile boolean closed;
    private long rounds;
    private long lateNanos;
    private long goneRunDelayNanos;
    private int mostCarriers;

    CarrierSampler() throws InterruptedException {
        KernelThreads.check();
        carrierGroup = carrierGroup();
        sampling = Thread.ofPlatform().name("reference").daemon().start(this::run);
    }

    /** Returns the figures until now, when nothing has been held for a moment. */
    synchronized HeldTime soFar() throws InterruptedException {
        // the first of these may be under way already
        for (long wanted = rounds + 2; rounds < wanted; ) {
            wait();
        }
        Map<Doing, Long> held = new EnumMap<>(Doing.class);
        for (Doing doing : Doing.values()) {
            if (doing != Doing.UNHELD) {
                held.put(doing, nanos[doing.ordinal()]);
            }
        }
        long runDelayNanos = goneRunDelayNanos;
        for (SampledCarrier carrier : carriers.values()) {
            runDelayNanos += carrier.runDelayNanos();
        }
        return new HeldTime(
                held,
                runDelayNanos,
                rounds,
                lateNanos,
                management.getThreadCpuTime(sampling.threadId()),
                mostCarriers);
    }

    private void run() {
        long lastNanos = System.nanoTime();
        while (!closed) {
            LockSupport.parkNanos(
                    ThreadLocalRandom.current().nextLong(PERIOD_NANOS / 2, PERIOD_NANOS * 3 / 2));
            long nowNanos = System.nanoTime();
            round(nowNanos - lastNanos);
            lastNanos = nowNanos;
        }
    }

    private synchronized void round(long sinceLastNanos) {
        meetNewCarriers();
        carriers.values()
                .removeIf(
                        carrier -> {
                            boolean gone = !carrier.isAlive();
                            if (gone) {
                                goneRunDelayNanos += carrier.runDelayNanos();
                                carrier.close();
                            } else {
                                carrier.sample(nanos);
                            }
                            return gone;
                        });
        if (sinceLastNanos > 2 * PERIOD_NANOS) {
            lateNanos += sinceLastNanos;
        }
        rounds++;
        notifyAll();
    }

    private void meetNewCarriers() {
        int count = carrierGroup.enumerate(found, false);
        if (count == MAX_CARRIERS) {
            throw new IllegalStateException("more carriers than this can sample");
        }
        mostCarriers = Math.max(mostCarriers, count);
        for (int i = 0; i < count; i++) {
            carriers.computeIfAbsent(found[i], thread -> new SampledCarrier(thread, management));
        }
        KernelThreads.identify(carriers.values());
    }

    /** The group of all carriers, which the JDK keeps for them. */
    private static ThreadGroup carrierGroup() throws InterruptedException {
        Thread.startVirtualThread(() -> {}).join(); // so that there is one
        ThreadGroup root = Thread.currentThread().getThreadGroup();
        while (root.getParent() != null) {
            root = root.getParent();
        }
        ThreadGroup[] groups = new ThreadGroup[root.activeGroupCount() + 8];
        int count = root.enumerate(groups, true);
        for (int i = 0; i < count; i++) {
            if (groups[i].getName().equals("CarrierThreads")) {
                return groups[i];
            }
        }
        throw new IllegalStateException("this JVM has no carriers");
    }

    @Override
    public void close() {
        closed = true;
    }
}
