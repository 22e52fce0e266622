package io.vtagent.hotspot;

import io.vtagent.hotspot.Proof.Facts;
import io.vtagent.log.AgentLog;
import io.vtagent.thread.AgentThread;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.jspecify.annotations.Nullable;

/**
 * Reads facts about threads, classes and monitors from HotSpot's own memory. Reading stops no
 * thread, takes no lock of the JVM and creates nothing in it, unlike {@code
 * ThreadMXBean.getThreadInfo}, which has ended JVMs (JDK-8374820).
 *
 * <p>No read can end the JVM, because {@link Memory} refuses unmapped addresses. An answer is right
 * if the JavaThread that it was read from is alive. The JavaThread of a carrier with a mounted
 * thread is alive, because a carrier ends only after 30 s without work. For any other thread the
 * caller must check afterwards that it is alive. A fact that is not proved on this JVM is unknown.
 * Thread-safe.
 */
public final class HotSpot {
    /** The value for no monitor, no class or no thread. */
    public static final long NONE = 0;

    public static final long UNKNOWN = -1;

    /**
     * The largest value of a monitor's owner field that is not a thread id. Such values mean that
     * the owner is not known yet, or that a thread frees the monitor.
     */
    private static final long LAST_SPECIAL_OWNER = 2;

    private static volatile @Nullable HotSpot ofThisJvm;

    /**
     * The state of a thread: in native code, waiting inside the JVM, or anything else (in Java
     * code, or working in the JVM).
     */
    public enum State {
        NATIVE,
        BLOCKED,
        OTHER,
        UNKNOWN
    }

    /**
     * A class that a thread waits for until another thread has initialized it.
     *
     * @param name as returned by {@link Class#getName}
     * @param initializer the address of the JavaThread that initializes it
     * @see HotSpot#isThread
     */
    public record AwaitedClass(String name, long initializer) {}

    /**
     * A thread at one moment.
     *
     * @param awaited the class that it waits for until another thread has initialized it; null if
     *     there is none
     */
    public record Moment(State state, @Nullable AwaitedClass awaited) {
        public static final Moment UNKNOWN = new Moment(State.UNKNOWN, null);
    }

    /** Proves HotSpot's facts. */
    interface Prover {
        /**
         * @throws NoSuchFieldException if nothing can ever be proved on this JVM
         */
        Fields find() throws NoSuchFieldException;

        /** Returns whether the fields show the kernel's id of the current thread. */
        boolean showKernelId(Fields fields) throws IOException;

        /** Proves everything else, which takes several threads and longer on a busy machine. */
        Facts prove(Fields fields) throws IOException, InterruptedException;
    }

    private static final int MAX_ATTEMPTS = 10;

    /** The pause after the first failed attempt; it doubles after each further one. */
    private static final long FIRST_PAUSE_NANOS = 1_000_000_000;

    private final Prover prover;
    private final AtomicBoolean proving = new AtomicBoolean();
    private volatile @Nullable Fields fields;
    private volatile boolean kernelIds;
    private volatile Facts facts = Facts.NONE;

    /** Used only by the thread that has set {@link #proving}. */
    private int attempts;

    private volatile long notBeforeNanos = System.nanoTime();

    HotSpot(Prover prover) {
        this.prover = prover;
    }

    /**
     * Returns the facts of this JVM. The first call proves those about the kernel. A separate
     * thread proves the rest, which takes some milliseconds, or seconds on a busy machine. If that
     * fails, for example for lack of time or memory, it is proved again later. Until then the rest
     * is unknown.
     */
    public static HotSpot ofThisJvm() {
        HotSpot known = ofThisJvm;
        if (known == null) {
            return first();
        }
        if (known.isDue()) {
            known.prove();
        }
        return known;
    }

    private static synchronized HotSpot first() {
        HotSpot known = ofThisJvm;
        if (known == null) {
            known = new HotSpot(new Proof.OfThisJvm());
            known.findAtOnce();
            known.prove();
            ofThisJvm = known;
        }
        return known;
    }

    boolean isDue() {
        return !isProved() && !proving.get() && System.nanoTime() - notBeforeNanos >= 0;
    }

    private void prove() {
        notBeforeNanos = System.nanoTime() + FIRST_PAUSE_NANOS; // one thread is enough
        try {
            AgentThread.start("vt-agent-proves", this::attempt);
        } catch (OutOfMemoryError noThread) {
            AgentLog.debug("HotSpot's fields are not proved yet:", noThread);
        }
    }

    private void findAtOnce() {
        try {
            Fields unused = find();
        } catch (NoSuchFieldException
                | IOException
                | RuntimeException
                | LinkageError
                | VirtualMachineError failed) {
            AgentLog.debug("HotSpot's fields are not found yet:", failed);
        }
    }

    private synchronized Fields find() throws NoSuchFieldException, IOException {
        Fields known = fields;
        if (known == null) {
            known = prover.find();
            kernelIds = prover.showKernelId(known);
            fields = known;
        }
        return known;
    }

    /** Proves the facts, unless another thread does so or they are proved already. */
    void attempt() {
        if (isProved() || !proving.compareAndSet(false, true)) {
            return;
        }
        boolean last = ++attempts >= MAX_ATTEMPTS;
        try {
            facts = prover.prove(find());
        } catch (NoSuchFieldException otherJvm) {
            last = true;
            AgentLog.debug("HotSpot's memory is not read:", otherJvm);
        } catch (IOException
                | InterruptedException
                | RuntimeException
                | LinkageError
                | VirtualMachineError unknown) {
            AgentLog.debug("HotSpot's fields are not proved:", unknown);
        } finally {
            long pauseNanos = last ? Long.MAX_VALUE / 2 : FIRST_PAUSE_NANOS << (attempts - 1);
            notBeforeNanos = System.nanoTime() + pauseNanos;
            proving.set(false);
        }
    }

    /** Returns whether the facts are proved on this JVM. */
    public boolean isProved() {
        return facts != Facts.NONE;
    }

    /** Returns whether {@link #kernelId} is known for live threads. */
    public boolean knowsKernelIds() {
        return kernelIds;
    }

    /** Closes the file from which memory is read; the next read opens it again. */
    public void close() {
        Fields known = fields;
        if (known != null) {
            known.memory().close();
        }
    }

    /** Returns the state of a platform thread. For a virtual thread, pass its carrier. */
    public State state(Thread platform) {
        try {
            return fields == null || !isProved()
                    ? State.UNKNOWN
                    : stateOf(fields.state(fields.javaThread(platform)));
        } catch (IOException ended) {
            return State.UNKNOWN;
        }
    }

    private State stateOf(int state) {
        if (state == facts.inNative()) {
            return State.NATIVE;
        }
        return state == facts.blocked() ? State.BLOCKED : State.OTHER;
    }

    /**
     * Returns the state of a platform thread and the class that it waits for. For a virtual thread,
     * pass its carrier.
     */
    public Moment at(Thread platform) {
        State state = state(platform);
        return state == State.UNKNOWN
                ? Moment.UNKNOWN
                : new Moment(state, state == State.BLOCKED ? awaitedClass(platform) : null);
    }

    /**
     * Returns the kernel's id of a platform thread ({@code /proc/self/task/ID}), or {@link
     * #UNKNOWN}.
     */
    public long kernelId(Thread platform) {
        try {
            return fields == null || !kernelIds
                    ? UNKNOWN
                    : fields.kernelId(fields.javaThread(platform));
        } catch (IOException ended) {
            return UNKNOWN;
        }
    }

    /**
     * Returns the address of the monitor that a platform thread waits to enter, or {@link #NONE},
     * or {@link #UNKNOWN}. The monitor may be freed at any moment.
     */
    public long pendingMonitor(Thread platform) {
        try {
            return fields == null || !isProved()
                    ? UNKNOWN
                    : fields.pendingMonitor(fields.javaThread(platform));
        } catch (IOException ended) {
            return UNKNOWN;
        }
    }

    /**
     * Returns the class that a platform thread waits for until another thread has initialized it;
     * null if it waits for none, or that is not known.
     */
    public @Nullable AwaitedClass awaitedClass(Thread platform) {
        if (fields == null || !isProved()) {
            return null;
        }
        try {
            long thread = fields.javaThread(platform);
            long klass = fields.word(thread, facts.awaitedClass());
            if (klass == NONE) {
                return null;
            }
            AwaitedClass awaited = new AwaitedClass(fields.name(klass), fields.initThread(klass));
            // a thread that waits for a class keeps it alive
            return fields.word(thread, facts.awaitedClass()) == klass ? awaited : null;
        } catch (IOException ended) {
            return null;
        }
    }

    /** Returns whether a thread initializes {@code type} now; false if that is not known. */
    public boolean isBeingInitialized(Class<?> type) {
        try {
            return fields != null
                    && isProved()
                    && fields.initState(fields.klass(type)) == facts.beingInitialized();
        } catch (IOException impossible) {
            return false;
        }
    }

    /**
     * Returns whether {@code type} is linked, so that no thread waits for that any more; false if
     * that is not known.
     */
    public boolean isLinked(Class<?> type) {
        try {
            // "linked" comes just before "being initialized" (instanceKlass.hpp, ClassState)
            return fields != null
                    && isProved()
                    && fields.initState(fields.klass(type)) >= facts.beingInitialized() - 1;
        } catch (IOException impossible) {
            return false;
        }
    }

    /**
     * Returns the address of the JavaThread that initializes {@code type}, or {@link #NONE}, or
     * {@link #UNKNOWN}.
     */
    public long initializerOf(Class<?> type) {
        try {
            return fields == null || !isProved() ? UNKNOWN : fields.initThread(fields.klass(type));
        } catch (IOException impossible) {
            return UNKNOWN;
        }
    }

    /** Returns whether the JavaThread of {@code platform} is at {@code address}. */
    public boolean isThread(Thread platform, long address) {
        return fields != null && address > 0 && fields.javaThread(platform) == address;
    }

    /**
     * Returns the id of the thread that owns a monitor, or {@link #NONE}, or {@link #UNKNOWN}. For
     * a virtual thread, this is its carrier's id up to JDK 23. On JDK 24 and later it is the
     * virtual thread's own id, except if the thread locked the object before any thread waited for
     * it.
     *
     * @param platform all platform threads
     */
    public long ownerOf(long monitor, Thread[] platform) {
        if (fields == null || !isProved() || monitor <= 0) {
            return UNKNOWN;
        }
        try {
            long owner = fields.owner(monitor);
            if (owner == NONE) {
                return NONE;
            }
            if (facts.ownerIsId() && owner > LAST_SPECIAL_OWNER) {
                return owner;
            }
            long oop =
                    owner <= LAST_SPECIAL_OWNER && facts.ownerHasLockStack()
                            ? fields.oop(monitor)
                            : NONE;
            for (Thread thread : platform) {
                if (isOwner(thread, owner, oop)) {
                    return fields.owner(monitor) == owner ? thread.threadId() : UNKNOWN;
                }
            }
        } catch (IOException gone) {
            // then the owner is unknown
        }
        return UNKNOWN;
    }

    /**
     * Returns the id of the thread that owns {@code object} as a monitor, or {@link #NONE}, or
     * {@link #UNKNOWN}. The owner is known while a thread waits for the monitor, if the object's
     * header has the monitor's address (on JDK 27 it does not).
     *
     * @param platform all platform threads
     * @see #ownerOf(long, Thread[])
     */
    public long ownerOf(Object object, Thread[] platform) {
        if (fields == null || !isProved()) {
            return UNKNOWN;
        }
        long header = Fields.header(object);
        long owner =
                switch (Fields.lockOf(header)) {
                    case Fields.UNLOCKED -> NONE;
                    case Fields.INFLATED ->
                            facts.monitorsInHeaders()
                                    ? ownerOf(Fields.monitorIn(header), platform)
                                    : UNKNOWN;
                    default -> facts.ownerIsInStack() ? ownerByStack(header, platform) : UNKNOWN;
                };
        // if the header has changed, the monitor that was read may have been freed
        return Fields.header(object) == header ? owner : UNKNOWN;
    }

    /**
     * @param lock the address of a lock record in its owner's stack, which JDK 21 uses without a
     *     monitor
     */
    private long ownerByStack(long lock, Thread[] platform) {
        for (Thread thread : platform) {
            try {
                if (isOwner(thread, lock, NONE)) {
                    return thread.threadId();
                }
            } catch (IOException ended) {
                // then it owns nothing
            }
        }
        return UNKNOWN;
    }

    private boolean isOwner(Thread thread, long owner, long oop) throws IOException {
        Fields known = fields;
        long javaThread = known == null ? NONE : known.javaThread(thread);
        if (known == null || javaThread == NONE) {
            return false;
        }
        return (facts.ownerIsThread() && javaThread == owner)
                || (facts.ownerIsInStack() && known.isInStack(javaThread, owner))
                || (oop != NONE && known.isInLockStack(javaThread, oop));
    }
}
