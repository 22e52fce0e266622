package io.vtagent.diagnosis;

import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.jvm.Locks;
import io.vtagent.log.AgentLog;
import io.vtagent.log.PlainText;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.scheduler.LiveThreads;
import io.vtagent.scheduler.VirtualThreads;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Redefinitions;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import io.vtagent.site.UnmountedStack;
import io.vtagent.thread.AgentThread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * Reads where the virtual threads wait. Visits all of them, and reads the stacks of those on
 * carriers and of a random sample of those that wait. Threads that are ready to run are counted and
 * left alone: reading a stack may cost them their place in the queue. There is no safepoint, and no
 * lock of the application is taken. Thread-safe; one thread reads at a time.
 *
 * <p>The memory that a reading needs is bounded by the size of the sample. From one reading to the
 * next, only the ids of the sampled threads are kept, and since when each has been where it is.
 */
public final class ThreadGroupReader {
    /** The maximum number of mounted threads whose stacks are read. */
    private static final int MAX_MOUNTED_STACKS = 64;

    private static final int MAX_ATTEMPTS = 4;

    /** The maximum number of threads that are ready to run and searched for in the queues. */
    private static final int MAX_READY = 2_000;

    /** The number of threads that are visited between two checks of the clock. */
    private static final int VISITS_PER_CHECK = 1024;

    /** The time after which it is forgotten where threads were. */
    private static final long MAX_GAP_NANOS = 300_000_000_000L;

    private final CarrierPool pool;
    private final FramesOfInterest wanted;
    private final long seed = System.nanoTime();

    /** Guards the search for the lists of threads. A reading, which may take long, has it not. */
    private final Object finding = new Object();

    private volatile @Nullable LiveThreads live;
    private volatile @Nullable String failure;
    private Map<Long, Seen> seen = Map.of();
    private long readNanos;

    /**
     * The position of a thread at a reading.
     *
     * @param where identifies the state, the stack and the lock
     * @param sinceNanos the time of the first reading that found it there
     */
    private record Seen(int where, long sinceNanos) {}

    /**
     * @param pool the application's scheduler
     */
    public ThreadGroupReader(CarrierPool pool, FramesOfInterest wanted) {
        this.pool = pool;
        this.wanted = wanted;
    }

    /**
     * Returns the threads of this JVM, or null if this JDK's lists are not the known ones. Does not
     * wait for a reading in progress.
     */
    public @Nullable LiveThreads live() {
        LiveThreads found = live;
        if (found != null || failure != null) {
            return found;
        }
        synchronized (finding) {
            if (live == null && failure == null) {
                try {
                    live = LiveThreads.ofThisJvm();
                } catch (ReflectiveOperationException
                        | RuntimeException
                        | LinkageError
                        | InternalError unknown) {
                    failure = "this JDK's lists of threads are not the known ones: " + unknown;
                    AgentLog.debug("the cause:", unknown);
                }
            }
            return live;
        }
    }

    /**
     * Returns why {@link #read} returns null; null if it does not. Does not wait for a reading in
     * progress.
     */
    public @Nullable String failure() {
        LiveThreads unused = live();
        return failure;
    }

    /**
     * Reads the threads. Costs some 20 &micro;s of CPU time for each stack, and 0.1 &micro;s for
     * each thread.
     *
     * @param maxStacks the maximum number of waiting threads whose stacks are read
     * @param deadlineNanos the value of {@code System.nanoTime} at which no further thread is
     *     visited and no further stack is read
     * @return null if this JDK's lists of threads are not the known ones
     */
    public synchronized @Nullable ThreadGroups read(int maxStacks, long deadlineNanos) {
        LiveThreads threads = live();
        if (threads == null) {
            return null;
        }
        Redefinitions.awaitQuiet((deadlineNanos - System.nanoTime()) / 2);
        try {
            return new Reading(maxStacks, deadlineNanos).of(threads);
        } catch (LinkageError changed) {
            // in this order: where both are null, live() searches again
            failure = "this JDK's virtual threads are not the known ones: " + changed;
            live = null;
            AgentLog.debug("the cause:", changed);
            return null;
        }
    }

    /** One reading. Not thread-safe. */
    private final class Reading {
        private final long beganNanos = System.nanoTime();
        private final long deadlineNanos;
        private final ThreadSample waiting;
        private final ThreadSample ready = new ThreadSample(seed, MAX_READY);
        private List<Thread> lost = List.of();
        private final Map<Key, Grouped> groups = new LinkedHashMap<>();
        private final Map<Long, Seen> found = new HashMap<>();
        private long mounted;
        private long queued;
        private long visits;

        Reading(int maxStacks, long deadlineNanos) {
            this.deadlineNanos = deadlineNanos;
            waiting = new ThreadSample(seed, maxStacks);
        }

        ThreadGroups of(LiveThreads threads) {
            if (beganNanos - readNanos > MAX_GAP_NANOS) {
                seen = Map.of();
            }
            boolean complete = threads.forEach(this::visit);
            readMounted();
            int walked = 0;
            int gone = 0;
            for (ThreadSample.Entry entry : waiting.entries()) {
                if (isOver()) {
                    break;
                }
                walked++;
                gone += read(entry) ? 0 : 1;
            }
            findLost();
            long population = waiting.offered();
            double factor = walked == 0 ? 0 : (double) population / walked;
            List<Group> finished = finished(factor);
            ThreadGroups.Deadlock deadlock = deadlock();
            seen = found;
            readNanos = beganNanos;
            return new ThreadGroups(
                    mounted + queued + lost.size() + population,
                    threads.areAllKnown(),
                    mounted,
                    queued,
                    population,
                    walked,
                    Math.round(gone * factor),
                    complete,
                    System.nanoTime() - beganNanos,
                    finished,
                    deadlock);
        }

        private boolean isOver() {
            return AgentThread.isDetached() || System.nanoTime() - deadlineNanos >= 0;
        }

        private boolean visit(Thread thread, LiveThreads.Container container) {
            if (++visits % VISITS_PER_CHECK == 0 && isOver()) {
                return false;
            }
            if (pool.isExcluded(thread)) {
                return true;
            }
            if (VirtualThreads.isMounted(thread)) {
                mounted++;
                return true;
            }
            switch (thread.getState()) {
                case RUNNABLE -> {
                    queued++;
                    ready.offer(thread, container);
                }
                case BLOCKED, WAITING, TIMED_WAITING -> waiting.offer(thread, container);
                case NEW, TERMINATED -> {
                    // about to start, or over
                }
            }
            return true;
        }

        private void readMounted() {
            int stacks = 0;
            for (Thread carrier : pool.carriers()) {
                // carriers that run short tasks change threads while a stack is read
                for (int attempt = 0; attempt < MAX_ATTEMPTS; attempt++) {
                    Thread thread = pool.mountedOn(carrier);
                    if (thread == null || stacks == MAX_MOUNTED_STACKS || isOver()) {
                        break;
                    }
                    stacks++;
                    if (readMounted(thread, carrier)) {
                        break;
                    }
                }
            }
        }

        /** Returns false if the thread is not mounted any more. */
        private boolean readMounted(Thread thread, Thread carrier) {
            List<StackTraceElement> frames = Snapshot.of(thread).frames();
            boolean mounted = !frames.isEmpty() && VirtualThreads.isMounted(thread, carrier);
            if (mounted) {
                add(thread, null, State.MOUNTED, null, frames);
            }
            return mounted;
        }

        private void findLost() {
            List<Thread> threads = new ArrayList<>();
            ready.entries().forEach(entry -> threads.add(entry.thread()));
            lost = new LostThreads(pool).among(threads, deadlineNanos);
            queued = Math.max(queued - lost.size(), 0);
        }

        /** Returns false if the thread does not wait any more. */
        private boolean read(ThreadSample.Entry entry) {
            Thread thread = entry.thread();
            Thread.State state = thread.getState();
            boolean waits =
                    state == Thread.State.BLOCKED
                            || state == Thread.State.WAITING
                            || state == Thread.State.TIMED_WAITING;
            if (!waits || VirtualThreads.isMounted(thread)) {
                return false;
            }
            Object blocker = LockSupport.getBlocker(thread);
            List<StackTraceElement> frames = UnmountedStack.of(thread);
            if (frames.isEmpty()) {
                return false;
            }
            boolean changed = LockSupport.getBlocker(thread) != blocker;
            add(
                    thread,
                    entry.container(),
                    WaitKind.stateOf(state, frames),
                    changed ? null : blocker,
                    frames);
            return true;
        }

        private void add(
                Thread thread,
                LiveThreads.@Nullable Container container,
                State state,
                @Nullable Object blocker,
                List<StackTraceElement> frames) {
            List<StackTraceElement> kept =
                    List.copyOf(frames.subList(0, Math.min(frames.size(), wanted.kept())));
            Key key = new Key(state, WaitKind.of(state, blocker, frames), kept);
            Grouped group =
                    groups.computeIfAbsent(
                            key, absent -> new Grouped(key, stackOf(frames), thread));
            int where = key.hashCode() * 31 + System.identityHashCode(blocker);
            group.add(thread, container, blocker, beganNanos - sinceNanos(thread, where));
        }

        private PinnedStack stackOf(List<StackTraceElement> frames) {
            return SnapshotStack.heldByCall(frames, wanted);
        }

        /**
         * Returns the time of the first of the readings that have found {@code thread} there.
         *
         * @param where identifies the place
         */
        private long sinceNanos(Thread thread, int where) {
            Seen before = seen.get(thread.threadId());
            Seen now =
                    before != null && before.where == where ? before : new Seen(where, beganNanos);
            found.put(thread.threadId(), now);
            return now.sinceNanos;
        }

        private List<Group> finished(double factor) {
            List<Group> finished = new ArrayList<>();
            int mountedStacks = 0;
            for (Grouped group : groups.values()) {
                mountedStacks += group.key.state == State.MOUNTED ? group.count : 0;
            }
            double mountedFactor =
                    mountedStacks == 0 ? 0 : Math.max(1, (double) mounted / mountedStacks);
            for (Grouped group : groups.values()) {
                finished.add(
                        group.finished(group.key.state == State.MOUNTED ? mountedFactor : factor));
            }
            if (queued > 0) {
                finished.add(ready(State.QUEUED, queued, 0, null));
            }
            if (!lost.isEmpty()) {
                long longestNanos = 0;
                for (Thread thread : lost) {
                    long sinceNanos = sinceNanos(thread, State.LOST.ordinal());
                    longestNanos = Math.max(longestNanos, System.nanoTime() - sinceNanos);
                }
                finished.add(ready(State.LOST, lost.size(), longestNanos, lost.getFirst()));
            }
            finished.sort(Comparator.comparingLong(Group::count).reversed());
            return List.copyOf(finished);
        }

        /** Searches from one thread for each lock. */
        private ThreadGroups.@Nullable Deadlock deadlock() {
            LockCycles cycles = new LockCycles(this::isOver);
            for (Grouped group : groups.values()) {
                for (Thread waiting : group.waiting.values()) {
                    List<LockCycles.Member> cycle = cycles.from(waiting);
                    if (!cycle.isEmpty()) {
                        return new ThreadGroups.Deadlock(
                                LockCycles.describe(cycle), placeIn(cycle));
                    }
                }
            }
            return null;
        }

        /** Returns where a virtual thread of the cycle waits; empty if that is not known. */
        private String placeIn(List<LockCycles.Member> cycle) {
            return cycle.stream()
                    .map(LockCycles.Member::thread)
                    .filter(Thread::isVirtual)
                    .map(UnmountedStack::of)
                    .filter(frames -> !frames.isEmpty())
                    .map(frames -> Grouped.placeIn(stackOf(frames)))
                    .findFirst()
                    .orElse("");
        }

        private static Group ready(
                State state, long count, long longestNanos, @Nullable Thread example) {
            return new Group(
                    state,
                    "",
                    "",
                    "",
                    List.of(),
                    count,
                    0,
                    longestNanos,
                    "",
                    0,
                    example == null ? "" : PlainText.ofName(example.getName()),
                    example == null ? 0 : example.threadId(),
                    null,
                    0,
                    null);
        }
    }

    private record Key(State state, String waitsFor, List<StackTraceElement> frames) {}

    /** A group that grows. Not thread-safe. */
    private static final class Grouped {
        private final Key key;
        private final PinnedStack stack;
        private final String example;
        private final long exampleId;
        private final Map<String, Integer> containers = new HashMap<>();
        private final IdentityHashMap<Object, Integer> locks = new IdentityHashMap<>();

        /** A thread that waits for each of the locks. */
        private final IdentityHashMap<Object, Thread> waiting = new IdentityHashMap<>();

        private int count;
        private long longestNanos;

        Grouped(Key key, PinnedStack stack, Thread example) {
            this.key = key;
            this.stack = stack;
            this.example = PlainText.ofName(example.getName());
            exampleId = example.threadId();
        }

        void add(
                Thread thread,
                LiveThreads.@Nullable Container container,
                @Nullable Object blocker,
                long nanos) {
            count++;
            longestNanos = Math.max(longestNanos, nanos);
            if (container != null) {
                containers.merge(PlainText.ofName(container.name()), 1, Integer::sum);
            }
            if (blocker != null) {
                locks.merge(blocker, 1, Integer::sum);
                waiting.putIfAbsent(blocker, thread);
            }
        }

        Group finished(double factor) {
            Object blocker = mostFrequent(locks);
            Object container = mostFrequent(containers);
            Thread owner = blocker == null ? null : ParkedFor.ownerOf(blocker);
            return new Group(
                    key.state,
                    key.waitsFor,
                    place(),
                    stack.operation(),
                    stack.frames(),
                    Math.round(count * factor),
                    count,
                    longestNanos,
                    container == null ? "" : (String) container,
                    containers.size(),
                    example,
                    exampleId,
                    blocker == null ? null : Locks.nameOf(ParkedFor.lockOf(blocker)),
                    locks.size(),
                    owner == null ? null : ThreadLabel.of(owner).label());
        }

        /** Returns the nearest frame of the user's own; empty if all are the JDK's. */
        private String place() {
            return placeIn(stack);
        }

        private static String placeIn(PinnedStack stack) {
            String caller = stack.caller();
            if (caller != null) {
                return caller;
            }
            int holder = stack.holderIndex();
            return holder < 0 ? "" : stack.holder();
        }

        private static <T> @Nullable T mostFrequent(Map<T, Integer> counts) {
            T most = null;
            int highest = 0;
            for (Map.Entry<T, Integer> each : counts.entrySet()) {
                if (each.getValue() > highest) {
                    most = each.getKey();
                    highest = each.getValue();
                }
            }
            return most;
        }
    }
}
