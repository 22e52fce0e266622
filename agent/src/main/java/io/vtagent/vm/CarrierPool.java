package io.vtagent.vm;

import io.vtagent.log.AgentLog;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of virtual threads and its carriers, seen from outside: what {@code jdk.management.VirtualThreadSchedulerMXBean}
 * tells from JDK 24 on, on every JDK, and which virtual thread is mounted where. Reads fields of the JDK, takes no lock, stops
 * nobody. What it says of other threads may be over when the caller reads it. Thread-safe.
 */
public final class CarrierPool {
    /** The property behind {@link #max}. */
    public static final String MAX_POOL_SIZE = "jdk.virtualThreadScheduler.maxPoolSize";

    private static final String MIN_RUNNABLE = "jdk.virtualThreadScheduler.minRunnable";
    private static final int DEFAULT_MAX_POOL_SIZE = 256;
    /** How many wrappers lie at most between a task of the pool and the virtual thread that it runs. */
    private static final int DEEPEST_TASK = 4;

    private final ForkJoinPool pool;
    private final int max;
    private final int minRunnable;
    private final Field queues;
    private final Field owner;
    private final Field tasks;
    private final Field continuation;
    private final Field target;
    private final Field virtualThread;
    private volatile @Nullable Thread own;

    /** The carriers of {@code pool}, which is the scheduler's or, in tests, one like it. */
    CarrierPool(ForkJoinPool pool) throws ReflectiveOperationException {
        this.pool = pool;
        Class<?> queue = Class.forName("java.util.concurrent.ForkJoinPool$WorkQueue");
        queues = field(ForkJoinPool.class, "queues");
        owner = field(queue, "owner");
        tasks = field(queue, "array");
        continuation = field(Thread.class, "cont");
        target = field(Class.forName("jdk.internal.vm.Continuation"), "target");
        virtualThread = field(Class.forName("java.lang.VirtualThread$VThreadContinuation$1"), "val$vthread");
        Integer limit = Integer.getInteger(MAX_POOL_SIZE);
        Integer least = Integer.getInteger(MIN_RUNNABLE);
        minRunnable = least == null ? Math.max(pool.getParallelism() / 2, 1) : least;
        max = limit == null ? Math.max(pool.getParallelism(), DEFAULT_MAX_POOL_SIZE) : limit;
    }

    /**
     * The scheduler of this JVM, if it is a known one.
     *
     * @param pool null if it is not
     * @param failure why
     */
    public record Found(@Nullable CarrierPool pool, String failure) {
        /** Whether virtual threads can be running, as far as is known. */
        public boolean hasCarriers() {
            return pool == null || pool.hasCarriers();
        }
    }

    /** Looks for the scheduler of this JVM: see {@link #ofThisJvm}. */
    public static Found find() {
        try {
            return new Found(ofThisJvm(), "");
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            AgentLog.debug("the cause:", unknown);
            return new Found(null, "this JDK's scheduler is not the known one: " + unknown);
        }
    }

    /**
     * The scheduler of this JVM. The limit is taken from the system property, so this comes before the application can change it.
     *
     * @throws ReflectiveOperationException if this JDK's scheduler is not the known one
     */
    public static CarrierPool ofThisJvm() throws ReflectiveOperationException {
        Field scheduler = field(Class.forName("java.lang.VirtualThread"), "DEFAULT_SCHEDULER");
        return new CarrierPool((ForkJoinPool) scheduler.get(null));
    }

    /**
     * From now on leaves {@code newOwn}, and no other, out of what is told of virtual threads here: one of the agent's that is about to be
     * started and runs to its end without a break, so that while it is unmounted it waits for a carrier. Only {@link #mounts} counts it.
     */
    public void leaveOut(Thread newOwn) {
        own = newOwn;
    }

    /** Carriers that the scheduler aims to keep running. */
    public int parallelism() {
        return pool.getParallelism();
    }

    /** Carriers that exist. */
    public int size() {
        return pool.getPoolSize();
    }

    /** Whether a virtual thread has run here, or is about to. */
    public boolean isUsed() {
        return hasCarriers() || mounts() > 0;
    }

    public boolean hasCarriers() {
        return size() > 0;
    }

    /** Carriers that the scheduler counts as at work: not idle, and not compensated for. */
    public int atWork() {
        return pool.getActiveThreadCount();
    }

    /** Carriers that may exist when it compensates. */
    public int max() {
        return max;
    }

    /** To compensate, the scheduler first runs fewer carriers, down to this many, and only then adds some. */
    public int minRunnable() {
        return minRunnable;
    }

    /** Virtual threads that are ready to run and have no carrier. */
    public long queued() {
        return withoutOwn(allQueued());
    }

    long allQueued() {
        return pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
    }

    /** As many as {@code queued} without the agent's own, if that is among them. */
    long withoutOwn(long queued) {
        Thread left = own;
        boolean waits = left != null && left.isAlive() && !VirtualThreads.isMounted(left);
        return waits && queued > 0 ? queued - 1 : queued;
    }

    /** Tasks that carriers have taken so far; each is one mount of a virtual thread. Behind by what idle carriers have not added. */
    public long mounts() {
        return pool.getStealCount();
    }

    /**
     * The scheduler's own way to make up for carriers that are held.
     *
     * @throws LinkageError if this JDK has none
     */
    public Compensation compensation() {
        return new Compensation(pool);
    }

    /** Whether {@code thread} is one of the carriers. */
    public boolean isCarrier(Thread thread) {
        return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == pool;
    }

    /** The carriers that exist. */
    public List<Thread> carriers() {
        List<Thread> carriers = new ArrayList<>();
        for (Object queue : queues()) {
            if (queue != null && read(owner, queue) instanceof ForkJoinWorkerThread carrier) {
                carriers.add(carrier);
            }
        }
        return carriers;
    }

    /** The virtual thread that is mounted on {@code carrier}, or null. */
    public @Nullable Thread mountedOn(Thread carrier) {
        Object mounted = read(continuation, carrier);
        Object body = mounted == null ? null : read(target, mounted);
        Object thread =
                body != null && virtualThread.getDeclaringClass().isInstance(body) ? read(virtualThread, body) : null;
        return thread == own ? null : (Thread) thread;
    }

    /** Whether there are virtual threads that are ready to run and have no carrier. */
    public boolean isWorkQueued() {
        long queued = queued();
        // a single one may be gone already, and one be the agent's that is taken just now
        int doubtful = own == null ? 1 : 2;
        return queued > doubtful || (queued > 0 && !queuedThreads(1).isEmpty());
    }

    /** Some of the virtual threads that are ready to run and have no carrier, in no order. */
    public List<Thread> queuedThreads(int most) {
        List<Thread> queued = new ArrayList<>();
        for (Object queue : queues()) {
            Object array = queue == null ? null : read(tasks, queue);
            if (array == null) {
                continue;
            }
            for (Object task : (Object[]) array) {
                Thread thread = task == null || queued.size() >= most ? null : threadOf(task, DEEPEST_TASK);
                if (thread != null && thread != own) {
                    queued.add(thread);
                }
            }
        }
        return queued;
    }

    private Object[] queues() {
        Object found = read(queues, pool);
        return found == null ? new Object[0] : (Object[]) found;
    }

    /** Follows the only field of each wrapper that is a task or a thread: {@code ForkJoinTask.adapt} of {@code this::runContinuation}. */
    private static @Nullable Thread threadOf(Object task, int depth) {
        if (task instanceof Thread thread) {
            return thread.isVirtual() ? thread : null;
        }
        for (Class<?> type = task.getClass(); depth > 0 && type != ForkJoinTask.class && type != null; ) {
            for (Field field : type.getDeclaredFields()) {
                boolean leads = Runnable.class.isAssignableFrom(field.getType());
                if (leads && field.trySetAccessible()) {
                    Object next = read(field, task);
                    Thread found = next == null ? null : threadOf(next, depth - 1);
                    if (found != null) {
                        return found;
                    }
                }
            }
            type = type.getSuperclass();
        }
        return null;
    }

    private static Field field(Class<?> type, String name) throws ReflectiveOperationException {
        Field field = type.getDeclaredField(name);
        field.setAccessible(true);
        return field;
    }

    private static @Nullable Object read(Field field, Object from) {
        try {
            return field.get(from);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
