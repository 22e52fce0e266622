package io.vtagent.exporter.bridge;

import io.vtagent.hotspot.Uninitialized;
import io.vtagent.jvm.ThreadLocals;
import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import java.lang.ref.WeakReference;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/**
 * Keeps the registries of one copy of Micrometer up to date. It has its own thread, because the
 * application's code there, such as meter filters, runs on that thread and may hang. All references
 * to the application's classes are held by the class {@code Metrics} itself, so that they disappear
 * with the application's class loader; the thread then ends. A class that the application has not
 * initialized is left alone.
 */
final class BridgeWorker implements Runnable {
    private static final int MAX_TRIES_TO_END = 20;
    private static final long RETRY_NANOS = 100_000_000;

    private final WeakReference<Class<?>> metrics;
    private final CachedMeterRegistry figures;
    private final long everyNanos;
    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread thread = AgentThread.unstarted("vt-agent-registry", this);
    private boolean failed;

    private final ClassValue<Kept> kept =
            new ClassValue<>() {
                @Override
                protected Kept computeValue(Class<?> type) {
                    return new Kept();
                }
            };

    /** The state that the application's class holds. */
    private static final class Kept {
        private @Nullable RegistryBridge mirror;
    }

    BridgeWorker(Class<?> metrics, CachedMeterRegistry figures, long everyNanos) {
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

    /** Requests the removal of the meters from the application's registries. */
    void end() {
        AgentThread.countDown(end);
    }

    /** Waits up to {@code mostNanos} until the meters are removed. */
    boolean awaitEnd(long mostNanos) {
        return AgentThread.join(thread, mostNanos);
    }

    @Override
    public void run() {
        boolean goesOn = true;
        int triesToEnd = 0;
        while (goesOn) {
            boolean ending = AgentThread.await(end, everyNanos) || AgentThread.isDetached();
            try {
                goesOn = serve(!ending);
            } catch (Throwable passing) {
                logFailure(passing);
                if (ending) {
                    triesToEnd++;
                    AgentThread.pause(RETRY_NANOS);
                }
                goesOn = triesToEnd < MAX_TRIES_TO_END;
            }
        }
    }

    private void logFailure(Throwable passing) {
        try {
            if (!failed) {
                failed = true;
                AgentLog.debug(
                        "cannot publish to the application's registry",
                        RegistryBridge.causeOf(passing));
            }
        } catch (Throwable noMemory) {
            // cannot be logged either
        }
    }

    /**
     * Works like the application's own code: with its context class loader, and without leaving
     * thread-local values on this thread.
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
        RegistryBridge mirror;
        try {
            mirror = mirror(type);
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            Throwable cause = RegistryBridge.causeOf(unknown);
            if (cause instanceof VirtualMachineError passing) {
                throw passing;
            }
            AgentLog.debug(
                    "the agent does not know the application's version of Micrometer", cause);
            return false;
        }
        if (mirror != null) {
            mirror.update();
        }
        return true;
    }

    private @Nullable RegistryBridge mirror(Class<?> type) throws ReflectiveOperationException {
        Kept holder = kept.get(type);
        if (holder.mirror == null && Uninitialized.isInitialized(type)) {
            holder.mirror = new RegistryBridge(figures, new Micrometer(type));
        }
        return holder.mirror;
    }

    private void end(Class<?> type) {
        RegistryBridge mirror = kept.get(type).mirror;
        if (mirror != null) {
            mirror.remove();
        }
        kept.remove(type); // last: a retry after a failure still needs the bridge
    }
}
