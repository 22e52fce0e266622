package io.vtagent.bridge;

import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.ThreadLocals;
import io.vtagent.vm.Uninitialized;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the registries of one copy of Micrometer up to date, on a thread of its own, since what the application has registered there, such
 * as filters, runs on it and may hang. All that refers to the application's classes is kept by the class {@code Metrics} itself, and so
 * goes when the application's class loader does; the thread then ends. It leaves alone what the application has not initialized.
 */
final class Serving implements Runnable {
    private static final int MOST_TRIES_TO_END = 20;
    private static final long RETRY_NANOS = 100_000_000;

    private final WeakReference<Class<?>> metrics;
    private final Figures figures;
    private final long everyNanos;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = AgentThread.unstarted("vt-agent-registry", this);
    private boolean failed;

    private final ClassValue<Kept> kept = new ClassValue<>() {
        @Override
        protected Kept computeValue(Class<?> type) {
            return new Kept();
        }
    };

    /** What is kept by the application's class. */
    private static final class Kept {
        private @Nullable Mirror mirror;
    }

    Serving(Class<?> metrics, Figures figures, long everyNanos) {
        this.everyNanos = everyNanos;
        this.metrics = new WeakReference<>(metrics);
        this.figures = figures;
    }

    void start() {
        thread.start();
    }

    boolean isFor(Class<?> candidate) {
        return metrics.get() == candidate;
    }

    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** Has the meters taken out of the application's registries. */
    void end() {
        AgentThread.countDown(end);
    }

    /** Waits until that is done, but no longer than {@code mostNanos}. */
    boolean awaitEnd(long mostNanos) {
        return AgentThread.join(thread, mostNanos);
    }

    @Override
    public void run() {
        boolean goesOn = true;
        int triesToEnd = 0;
        while (goesOn) {
            boolean ending = AgentThread.await(end, everyNanos) || AgentThread.isOver();
            try {
                goesOn = serve(!ending);
            } catch (Throwable passing) {
                say(passing);
                if (ending) {
                    triesToEnd++;
                    AgentThread.pause(RETRY_NANOS);
                }
                goesOn = triesToEnd < MOST_TRIES_TO_END;
            }
        }
    }

    private void say(Throwable passing) {
        try {
            if (!failed) {
                failed = true;
                AgentLog.debug("cannot fill the application's registry", Mirror.causeOf(passing));
            }
        } catch (Throwable noMemory) {
            // nor to say so
        }
    }

    /**
     * As the application's own code: with its context class loader, and without leaving values of its own on this thread.
     *
     * @return whether there is more to be done
     */
    private boolean serve(boolean goesOn) throws ReflectiveOperationException {
        Class<?> type = metrics.get();
        if (type == null) {
            return false;
        }
        Thread current = Thread.currentThread();
        ClassLoader own = current.getContextClassLoader();
        try {
            current.setContextClassLoader(type.getClassLoader());
            if (goesOn) {
                return update(type);
            }
            end(type);
            return false;
        } finally {
            current.setContextClassLoader(own);
            ThreadLocals.forget();
        }
    }

    private boolean update(Class<?> type) throws ReflectiveOperationException {
        Mirror mirror;
        try {
            mirror = mirror(type);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            Throwable cause = Mirror.causeOf(unknown);
            if (cause instanceof VirtualMachineError passing) {
                throw passing;
            }
            AgentLog.debug("the application's Micrometer is not one that the agent knows", cause);
            return false;
        }
        if (mirror != null) {
            mirror.update();
        }
        return true;
    }

    private @Nullable Mirror mirror(Class<?> type) throws ReflectiveOperationException {
        Kept holder = kept.get(type);
        if (holder.mirror == null && Uninitialized.isInitialized(type)) {
            holder.mirror = new Mirror(figures, new Micrometer(type));
        }
        return holder.mirror;
    }

    private void end(Class<?> type) {
        Mirror mirror = kept.get(type).mirror;
        if (mirror != null) {
            mirror.remove();
        }
        kept.remove(type); // last: if that fails it is tried again
    }
}
