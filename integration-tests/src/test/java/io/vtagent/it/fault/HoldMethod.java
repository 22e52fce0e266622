package io.vtagent.it.fault;

import java.lang.reflect.Method;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * A way to hold a carrier, on any JDK: where monitors do not pin, a native frame on the stack does,
 * given {@code -Djdk.reflect.useNativeAccessorOnly=true}. Non-public members are opened on the
 * command line.
 */
enum HoldMethod {
    PARK {
        @Override
        void hold() {
            LockSupport.parkNanos(2_000_000); // a sleep may park twice
        }
    },
    WAIT {
        @Override
        @SuppressWarnings("WaitNotInLoop") // there is nothing to wait for
        void hold() throws InterruptedException {
            Object monitor = new Object();
            synchronized (monitor) {
                monitor.wait(2);
            }
        }
    },
    /** The application's own monitor. */
    ENTER {
        @Override
        void hold() {
            Object monitor = new Object();
            holdFor(Thread.currentThread(), monitor);
            synchronized (monitor) {
                Thread.onSpinWait();
            }
        }
    },
    /** A monitor inside the JDK, which only the JVM's events report. */
    VM {
        @Override
        @SuppressWarnings("JdkObsolete") // its monitor is the point
        void hold() {
            StringBuffer contended = new StringBuffer();
            holdFor(Thread.currentThread(), contended);
            contended.append('.');
        }
    },
    IO {
        @Override
        void hold() throws ReflectiveOperationException {
            Class<?> blocker = Class.forName("jdk.internal.misc.Blocker");
            Method begin = blocker.getMethod("begin");
            Object attempt = begin.invoke(null);
            spin();
            blocker.getMethod("end", begin.getReturnType()).invoke(null, attempt);
        }
    },
    NATIVE {
        @Override
        void hold() {
            if (Usleep.usleep(NATIVE_MICROS) != 0) {
                throw new IllegalStateException("usleep failed");
            }
        }
    },
    /** Holds nothing: leaves its carrier. */
    YIELD {
        @Override
        void hold() throws InterruptedException {
            Thread.sleep(2);
        }
    },
    /** Holds nothing: is refused by the scheduler. */
    REFUSED {
        @Override
        void hold() throws ReflectiveOperationException {
            Method refused =
                    Class.forName("java.lang.VirtualThread")
                            .getDeclaredMethod("submitFailed", RejectedExecutionException.class);
            refused.setAccessible(true);
            refused.invoke(Thread.currentThread(), new RejectedExecutionException("as if"));
        }
    };

    private static final int NATIVE_MICROS = 60_000;
    private static final long SPIN_NANOS = 1_000_000;
    private static final AtomicReference<@Nullable Object> HELD = new AtomicReference<>();

    abstract void hold() throws Exception;

    /**
     * Holds once on a virtual thread of its own, and returns what that threw, or null. {@code
     * before} receives the thread.
     */
    static @Nullable Throwable once(HoldMethod how, int depth, Consumer<Thread> before)
            throws InterruptedException, NoSuchMethodException {
        Method below = HoldMethod.class.getDeclaredMethod("run", HoldMethod.class, int.class);
        AtomicReference<@Nullable Throwable> thrown = new AtomicReference<>();
        Thread thread =
                Thread.ofVirtual()
                        .unstarted(
                                () -> {
                                    try {
                                        if (how == YIELD) {
                                            how.hold();
                                        } else {
                                            below.invoke(null, how, depth);
                                        }
                                    } catch (Throwable failure) {
                                        thrown.set(failure);
                                    }
                                });
        before.accept(thread);
        thread.start();
        thread.join();
        return thrown.get();
    }

    /**
     * @param depth of the stack, so that it can be one that the agent has not seen before
     */
    static void run(HoldMethod how, int depth) throws Exception {
        if (depth > 0) {
            run(how, depth - 1);
        } else {
            how.hold();
        }
    }

    /** Another thread has {@code monitor} until {@code thread} has waited for it. */
    private static void holdFor(Thread thread, Object monitor) {
        Thread holder =
                Thread.ofPlatform()
                        .daemon()
                        .unstarted(
                                () -> {
                                    synchronized (monitor) {
                                        HELD.set(monitor);
                                        while (thread.getState() != Thread.State.BLOCKED) {
                                            Thread.onSpinWait();
                                        }
                                        spin();
                                    }
                                });
        holder.start();
        while (HELD.get() != monitor) {
            Thread.onSpinWait();
        }
    }

    private static void spin() {
        long beganNanos = System.nanoTime();
        while (System.nanoTime() - beganNanos < SPIN_NANOS) {
            Thread.onSpinWait();
        }
    }
}
