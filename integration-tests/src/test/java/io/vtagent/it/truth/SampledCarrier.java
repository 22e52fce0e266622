package io.vtagent.it.truth;

import io.vtagent.it.truth.HeldTime.Doing;
import java.lang.management.LockInfo;
import java.lang.management.ThreadInfo;
import java.lang.management.ThreadMXBean;
import org.jspecify.annotations.Nullable;

/** A carrier, and what it did when it was looked at last. Used by the sampler's thread alone. */
final class SampledCarrier {
    private final Thread thread;
    private final ThreadMXBean management;
    private @Nullable KernelThread kernelThread;
    private Doing lastDoing = Doing.UNHELD;
    private long lastNanos = System.nanoTime();
    private long asleepAtCpuNanos;

    SampledCarrier(Thread thread, ThreadMXBean management) {
        this.thread = thread;
        this.management = management;
    }

    /** Looks, and adds the time since it looked last to {@code nanos}, by what the carrier did. */
    void sample(long[] nanos) {
        Doing doing = look();
        long nowNanos = System.nanoTime();
        long halfNanos = (nowNanos - lastNanos) / 2;
        nanos[lastDoing.ordinal()] += halfNanos;
        nanos[doing.ordinal()] += halfNanos;
        lastDoing = doing;
        lastNanos = nowNanos;
    }

    /**
     * The JVM tells blocked from waiting, and that somebody is mounted. It does not know what a
     * thread does in the kernel that is RUNNABLE to it. Somebody who mounts or unmounts just now is
     * not held.
     */
    private Doing look() {
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
     * Whoever wants a processor is held only if it has not run since it was seen asleep: then it is
     * still on its way out of what it slept in. That is how blocking ends for the JVM too, which
     * calls a thread WAITING until it runs again.
     */
    private Doing inKernel() {
        if (kernelThread == null) {
            return Doing.UNHELD;
        }
        if (kernelThread.isAsleep()) {
            asleepAtCpuNanos = cpuNanos();
            return Doing.ASLEEP;
        }
        boolean wasAsleep = lastDoing == Doing.ASLEEP || lastDoing == Doing.WAKING;
        return wasAsleep && cpuNanos() == asleepAtCpuNanos ? Doing.WAKING : Doing.UNHELD;
    }

    /** Whether a virtual thread is mounted: the JVM says that a carrier waits for it. */
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
