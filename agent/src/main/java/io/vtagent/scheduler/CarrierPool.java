package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinTask;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The scheduler of virtual threads and its carriers. Provides on every JDK what {@code
 * jdk.management.VirtualThreadSchedulerMXBean} provides on JDK 24 and later, and which virtual
 * thread is mounted on which carrier. Reads fields of the JDK, takes no lock and stops no thread.
 * What it returns about other threads may be outdated when the caller reads it. Thread-safe.
 */
public final class CarrierPool {
    /** The system property behind {@link #max}. */
    public static final String MAX_POOL_SIZE = "jdk.virtualThreadScheduler.maxPoolSize";

    private static final String MIN_RUNNABLE = "jdk.virtualThreadScheduler.minRunnable";
    private static final int DEFAULT_MAX_POOL_SIZE = 256;

    /**
     * The maximum number of wrappers between a task of the pool and the virtual thread that it
     * runs.
     */
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

    /** The id of a thread that was created with this object; ids increase. */
    private final long contemporaryId = AgentThread.newId();

    private volatile @Nullable Thread excluded;

    /** Reads the carriers of {@code pool}, which is the scheduler's or, in tests, one like it. */
    public CarrierPool(ForkJoinPool pool) throws ReflectiveOperationException {
        this.pool = pool;
        queues = field(JdkInternal.POOL_QUEUES);
        owner = field(JdkInternal.QUEUE_OWNER);
        tasks = field(JdkInternal.QUEUE_TASKS);
        continuation = field(JdkInternal.THREAD_CONTINUATION);
        target = field(JdkInternal.CONTINUATION_TARGET);
        virtualThread = field(JdkInternal.CONTINUATION_THREAD);
        Integer limit = Integer.getInteger(MAX_POOL_SIZE);
        Integer least = Integer.getInteger(MIN_RUNNABLE);
        minRunnable = least == null ? Math.max(pool.getParallelism() / 2, 1) : least;
        max = limit == null ? Math.max(pool.getParallelism(), DEFAULT_MAX_POOL_SIZE) : limit;
    }

    /**
     * The scheduler of this JVM, if its implementation is known.
     *
     * @param pool null if it is not known
     * @param failure why it is not known; otherwise empty
     */
    public record Found(@Nullable CarrierPool pool, String failure) {
        /** Returns whether virtual threads can be running, as far as is known. */
        public boolean hasCarriers() {
            return pool == null || pool.hasCarriers();
        }
    }

    /** Finds the scheduler of this JVM, as {@link #ofThisJvm} does, but does not throw. */
    public static Found find() {
        try {
            return new Found(ofThisJvm(), "");
        } catch (ReflectiveOperationException | RuntimeException | LinkageError unknown) {
            AgentLog.debug("the cause:", unknown);
            return new Found(null, "the agent does not know this JDK's scheduler: " + unknown);
        }
    }

    /**
     * Returns the scheduler of this JVM. The maximum is read from the system property, so call this
     * before the application can change it.
     *
     * @throws ReflectiveOperationException if this JDK's scheduler is not the known one
     */
    public static CarrierPool ofThisJvm() throws ReflectiveOperationException {
        Class<?> unused = JdkInternal.DEFAULT_SCHEDULER.initializedType();
        Field scheduler = JdkInternal.DEFAULT_SCHEDULER.field();
        if (scheduler.getType() != ForkJoinPool.class) {
            throw new NoSuchFieldException(scheduler.toString());
        }
        // not by reflection, which makes a method handle for it while the application waits
        Unsafe unsafe = Unsafe.getUnsafe();
        return new CarrierPool(
                (ForkJoinPool)
                        unsafe.getReference(
                                unsafe.staticFieldBase(scheduler),
                                unsafe.staticFieldOffset(scheduler)));
    }

    /**
     * Excludes {@code thread} from what this class reports about virtual threads, in place of the
     * thread excluded before. It is a virtual thread of the agent that is about to start and runs
     * to its end without blocking, so while it is unmounted it waits for a carrier. What the
     * scheduler itself counts includes it and its carrier: {@link #mounts}, {@link #size}, {@link
     * #atWork} and {@link #counters}.
     */
    public void exclude(Thread thread) {
        excluded = thread;
    }

    /** Returns whether {@code thread} is the one that {@link #exclude} excludes. */
    public boolean isExcluded(Thread thread) {
        return thread == excluded;
    }

    /** Returns the number of virtual threads that are mounted on the carriers. */
    public int mounted() {
        int mounted = 0;
        for (Thread carrier : carriers()) {
            mounted += mountedOn(carrier) == null ? 0 : 1;
        }
        return mounted;
    }

    /** Returns {@code alive} without the agent's own thread, if that is alive. */
    public long aliveWithoutExcluded(long alive) {
        Thread left = excluded;
        return left != null && left.isAlive() && alive > 0 ? alive - 1 : alive;
    }

    /** Returns whether the virtual thread {@code thread} runs on the carriers. */
    public boolean schedules(Thread thread) {
        return VirtualThreads.schedulerOf(thread) == pool;
    }

    /**
     * Returns whether each carrier either runs a virtual thread or is idle. If not, a carrier may
     * just have taken a thread from a queue, or be about to put one into a queue.
     */
    public boolean isSettled() {
        for (Thread carrier : carriers()) {
            if (mountedOn(carrier) == null && LockSupport.getBlocker(carrier) != pool) {
                return false;
            }
        }
        return true;
    }

    /** Returns the number of carriers that the scheduler aims to keep running. */
    public int parallelism() {
        return pool.getParallelism();
    }

    /** Returns the number of carriers that exist. */
    public int size() {
        return pool.getPoolSize();
    }

    /** Returns whether a virtual thread has run on this scheduler, or is about to. */
    public boolean isUsed() {
        return hasCarriers() || mounts() > 0;
    }

    public boolean hasCarriers() {
        return size() > 0;
    }

    /**
     * Returns the number of carriers that the scheduler counts as at work: not idle and not
     * compensated for.
     */
    public int atWork() {
        return pool.getActiveThreadCount();
    }

    /** Returns the maximum number of carriers when the scheduler compensates. */
    public int max() {
        return max;
    }

    /**
     * Returns the minimum number of running carriers. To compensate, the scheduler first runs fewer
     * carriers, down to this number, and only then adds some.
     */
    public int minRunnable() {
        return minRunnable;
    }

    /** Returns the number of virtual threads that are ready to run and have no carrier. */
    public long queued() {
        long queued = pool.getQueuedTaskCount() + pool.getQueuedSubmissionCount();
        Thread left = excluded;
        boolean waits = left != null && left.isAlive() && !VirtualThreads.isMounted(left);
        return waits && queued > 0 ? queued - 1 : queued;
    }

    /**
     * Returns the number of tasks that carriers have taken so far; each is one mount of a virtual
     * thread. It lacks those that idle carriers have not added yet.
     */
    public long mounts() {
        return pool.getStealCount();
    }

    /**
     * Returns the scheduler's own means to compensate for held carriers.
     *
     * @throws LinkageError if this JDK has none
     */
    public Compensation compensation() {
        return new Compensation(pool);
    }

    /** Returns whether {@code thread} is one of the carriers. */
    public boolean isCarrier(Thread thread) {
        return thread instanceof ForkJoinWorkerThread worker && worker.getPool() == pool;
    }

    /** Returns whether {@code carrier} was created before this object. */
    public boolean isOlderThanThis(Thread carrier) {
        return carrier.threadId() < contemporaryId;
    }

    /** Returns the carriers that exist. */
    public List<Thread> carriers() {
        List<Thread> carriers = new ArrayList<>();
        for (Object queue : queues()) {
            if (queue != null && read(owner, queue) instanceof ForkJoinWorkerThread carrier) {
                carriers.add(carrier);
            }
        }
        return carriers;
    }

    /**
     * Returns the counters of the scheduler's queues, which show whether a carrier has kept its
     * virtual thread.
     *
     * @throws ReflectiveOperationException if this JDK's scheduler has no such counters
     */
    public QueueCounters.Reader counters() throws ReflectiveOperationException {
        return new QueueCounters.Reader(this::queues);
    }

    /** Returns the virtual thread that is mounted on {@code carrier}, or null. */
    public @Nullable Thread mountedOn(Thread carrier) {
        Object mounted = read(continuation, carrier);
        Object body = mounted == null ? null : read(target, mounted);
        Object thread =
                body != null && virtualThread.getDeclaringClass().isInstance(body)
                        ? read(virtualThread, body)
                        : null;
        return thread == excluded ? null : (Thread) thread;
    }

    /**
     * Parks the current thread, a carrier without a virtual thread, in the way an idle carrier
     * parks.
     */
    public void rest(long nanos) {
        LockSupport.parkNanos(pool, nanos);
    }

    /**
     * Returns whether {@code carrier}, which carries no virtual thread, is blocked in a task of
     * another kind. An idle carrier is parked with the pool as its blocker
     * (ForkJoinPool.awaitWork).
     */
    public boolean isBlockedInTask(Thread carrier) {
        return switch (carrier.getState()) {
            case BLOCKED -> true;
            case WAITING, TIMED_WAITING -> LockSupport.getBlocker(carrier) != pool;
            default -> false;
        };
    }

    /** Returns whether virtual threads are ready to run and have no carrier. */
    public boolean isWorkQueued() {
        long queued = queued();
        // a single one may be gone already, and one may be the agent's, taken at this moment
        int doubtful = excluded == null ? 1 : 2;
        return queued > doubtful || (queued > 0 && !queuedThreads(1).isEmpty());
    }

    /**
     * Returns some of the virtual threads that are ready to run and have no carrier, in no order.
     */
    public List<Thread> queuedThreads(int most) {
        List<Thread> queued = new ArrayList<>();
        for (Object queue : queues()) {
            Object array = queue == null ? null : read(tasks, queue);
            if (array == null) {
                continue;
            }
            for (Object task : (Object[]) array) {
                Thread thread =
                        task == null || queued.size() >= most ? null : threadOf(task, DEEPEST_TASK);
                if (thread != null && thread != excluded) {
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

    /**
     * Finds the virtual thread that {@code task} runs. Follows the fields of each wrapper that hold
     * a task or a thread: tasks are made by {@code ForkJoinTask.adapt} from {@code
     * this::runContinuation}.
     */
    private static @Nullable Thread threadOf(Object task, int depth) {
        if (task instanceof Thread thread) {
            return thread.isVirtual() ? thread : null;
        }
        for (Class<?> type = task.getClass();
                depth > 0 && type != ForkJoinTask.class && type != null; ) {
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

    static Field field(JdkInternal internal) throws ReflectiveOperationException {
        Class<?> unused = internal.initializedType();
        Field field = internal.field();
        field.setAccessible(true);
        return field;
    }

    static @Nullable Object read(Field field, Object from) {
        try {
            return field.get(from);
        } catch (IllegalAccessException impossible) {
            throw new AssertionError(impossible);
        }
    }
}
