package io.vtagent.it.reference;

import io.vtagent.it.reference.HeldTime.Doing;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** A carrier, and its activity at the last sample. Used by the sampler's thread alone. */
final class SampledCarrier {
    private final Thread thread;
    private final ThreadMXBean management;
    private @Nullable KernelThread kernelThread;
    private Doing lastDoing = Doing.UNHELD;
    private long lastNanos = System.nanoTime();
    private long offCpuAtCpuNanos;

    SampledCarrier(Thread thread, ThreadMXBean management) {
        this.thread = thread;
        this.management = management;
    }

    /**
     * Samples, and adds the time since the last sample to {@code nanos}, by what the carrier did.
     */
    void sample(long[] nanos) {
        Doing doing = classify();
        long nowNanos = System.nanoTime();
        long halfNanos = (nowNanos - lastNanos) / 2;
        nanos[lastDoing.ordinal()] += halfNanos;
        nanos[doing.ordinal()] += halfNanos;
        lastDoing = doing;
        lastNanos = nowNanos;
    }

    /**
     * The JVM distinguishes blocked from waiting, and reports that a thread is mounted. It does not
     * know what a RUNNABLE thread does in the kernel. A thread that mounts or unmounts just now is
     * not held.
     */
    private Doing classify() {
        Thread.State state = thread.getState();
        Doing doing =
                switch (state) {
                    case BLOCKED -> Doing.BLOCKED;
                    case WAITING, TIMED_WAITING -> Doing.WAITING;
                    case RUNNABLE -> inKernel();
                    default -> Doing.UNHELD;
                };
        return doing == Doing.UNHELD || !carries() || thread.getState() != state
                ? Doing.UNHELD
                : doing;
    }

    /**
     * A thread that waits for a CPU is held only if it has not run since it was found off-CPU: then
     * it has not left that sleep yet. Blocking ends like that for the JVM too, which calls a thread
     * WAITING until it runs again.
     */
    private Doing inKernel() {
        if (kernelThread == null) {
            return Doing.UNHELD;
        }
        if (kernelThread.isOffCpu()) {
            offCpuAtCpuNanos = cpuNanos();
            return Doing.OFF_CPU;
        }
        boolean wasOffCpu = lastDoing == Doing.OFF_CPU || lastDoing == Doing.WAKING;
        return wasOffCpu && cpuNanos() == offCpuAtCpuNanos ? Doing.WAKING : Doing.UNHELD;
    }

    /** Returns whether a virtual thread is mounted: the JVM reports that a carrier waits for it. */
    private boolean carries() {
        ThreadInfo info = management.getThreadInfo(thread.threadId(), 0);
        LockInfo lock = info == null ? null : info.getLockInfo();
        return lock != null && lock.getClassName().equals("java.lang.VirtualThread");
    }

    long cpuNanos() {
        return management.getThreadCpuTime(thread.threadId());
    }

    boolean isAlive() {
        return thread.isAlive();
    }

    boolean isIdentified() {
        return kernelThread != null;
    }

    /** Empty as long as it is not identified. */
    String kernelId() {
        return kernelThread == null ? "" : kernelThread.id();
    }

    void identify(KernelThread as) {
        kernelThread = as;
    }

    long runDelayNanos() {
        return kernelThread == null ? 0 : kernelThread.runDelayNanos();
    }

    void close() {
        if (kernelThread != null) {
            kernelThread.close();
        }
    }
}
