package io.vtagent.hotspot;

import io.vtagent.thread.AgentThread;
import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import jdk.internal.misc.Unsafe;
import org.jspecify.annotations.Nullable;

/**
 * The self-test of {@link Fields}. Two threads of the agent initialize classes, wait for that, and
 * wait for monitors that the current thread owns. A fact is proved if the fields show it when it
 * holds, and show something else when it does not. Runs on the current thread; one at a time.
 */
final class Proof {
    private static final long MAX_NANOS = 10_000_000_000L;

    /**
     * Two waiting threads must be in the same state this many times in a row, so that the state is
     * not one that they only pass through.
     */
    private static final int MIN_AGREEING = 3;

    private static final long POLL_NANOS = 200_000;
    private static final Unsafe UNSAFE = Unsafe.getUnsafe();
    private static final File OWN_TASK = new File("/proc/thread-self");
    private static final int PARKED = 1;
    private static final int FIRST_DONE = 2;
    private static final int SECOND_AWAITED = 3;
    private static final int SECOND_DONE = 4;

    static volatile @Nullable Proof running;

    /**
     * A model of a class. Each proof needs one that is not initialized, so it defines a hidden copy
     * of this class.
     */
    private static final class First {
        static {
            Proof proof = running;
            if (proof != null) {
                proof.initializeFirst();
            }
        }
    }

    /** A second model, as {@link First}. */
    private static final class Second {
        static {
            Proof proof = running;
            if (proof != null) {
                proof.initializeSecond();
            }
        }
    }

    /** Proves the facts of this JVM. */
    static class OfThisJvm implements HotSpot.Prover {
        @Override
        public Fields find() throws NoSuchFieldException {
            return Fields.find();
        }

        /** {@code /proc/thread-self} is a link to {@code /proc/PID/task/TID}. */
        @Override
        public boolean showKernelId(Fields fields) throws IOException {
            int id = Integer.parseInt(OWN_TASK.getCanonicalFile().getName());
            return fields.kernelId(fields.javaThread(Thread.currentThread())) == id;
        }

        @Override
        public Facts prove(Fields fields) throws IOException, InterruptedException {
            return Proof.of(fields);
        }
    }

    /**
     * The facts that are proved.
     *
     * @param inNative the thread state of native code
     * @param blocked the thread state of a thread that waits inside the JVM
     * @param awaitedClass the offset in a JavaThread of the Klass whose initialization it waits
     *     for, which HotSpot's table does not have; 0 if it was not found
     * @param beingInitialized the state of a class that a thread initializes
     * @param ownerIsId whether a monitor has its owner's thread id, as on JDK 24 and later
     * @param ownerIsThread whether a monitor has the address of its owner's JavaThread
     * @param monitorsInHeaders whether an inflated object has the address of its monitor in its
     *     header
     * @param ownerIsInStack whether a monitor has an address in its owner's stack if the object was
     *     locked before it was inflated
     * @param ownerHasLockStack whether that owner has the object in its lock stack
     */
    record Facts(
            int inNative,
            int blocked,
            long awaitedClass,
            int beingInitialized,
            boolean ownerIsId,
            boolean ownerIsThread,
            boolean monitorsInHeaders,
            boolean ownerIsInStack,
            boolean ownerHasLockStack) {
        static final Facts NONE = new Facts(-1, -1, 0, -1, false, false, false, false, false);
    }

    private interface Condition {
        boolean holds() throws IOException;
    }

    private final Fields fields;
    private final Class<?> firstClass;
    private final Class<?> secondClass;
    private final long beganNanos = System.nanoTime();
    private final Object inflated = new Object();
    private final Object locked = new Object();
    private volatile int step;
    private volatile boolean spins;
    private volatile boolean initializesSecond;

    private int inNative = -1;
    private int blocked = -1;
    private int agreeing;
    private long awaitedClass;
    private int beingInitialized = -1;

    private Proof(Fields fields) throws IOException {
        this.fields = fields;
        firstClass = another(First.class);
        secondClass = another(Second.class);
    }

    /**
     * Returns the facts that are proved for {@code fields} within ten seconds: all that can be
     * proved on a known JVM.
     *
     * @throws IllegalStateException if less is proved
     */
    static Facts of(Fields fields) throws IOException, InterruptedException {
        Proof proof = new Proof(fields);
        running = proof;
        try {
            return proof.prove();
        } finally {
            proof.step = Integer.MAX_VALUE;
            running = null;
        }
    }

    private static Class<?> another(Class<?> model) throws IOException {
        String name = model.getName();
        String file = name.substring(name.lastIndexOf('.') + 1) + ".class";
        try (InputStream in = Proof.class.getResourceAsStream(file)) {
            if (in == null) {
                throw new FileNotFoundException(file);
            }
            return MethodHandles.lookup().defineHiddenClass(in.readAllBytes(), false).lookupClass();
        } catch (IllegalAccessException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private Facts prove() throws IOException, InterruptedException {
        Thread initializing = AgentThread.unstarted("vt-agent-initializes", this::initializeBoth);
        Thread waiting =
                AgentThread.unstarted(
                        "vt-agent-waits",
                        () -> {
                            UNSAFE.ensureClassInitialized(firstClass);
                            awaitStep(SECOND_AWAITED);
                            UNSAFE.ensureClassInitialized(secondClass);
                            enter(inflated);
                            enter(locked);
                        });
        initializing.start();
        await(() -> spins);
        long initializer = fields.javaThread(initializing);
        long own = fields.javaThread(Thread.currentThread());
        proveStates(initializing, initializer, own);
        waiting.start();
        await(() -> fields.javaThread(waiting) != 0);
        long waiter = fields.javaThread(waiting);
        List<Long> places = proveClasses(initializer, waiting, waiter);
        return proveMonitors(waiting, waiter, own, places);
    }

    private void initializeBoth() {
        UNSAFE.ensureClassInitialized(firstClass);
        UNSAFE.ensureClassInitialized(secondClass);
    }

    private void proveStates(Thread initializing, long initializer, long own) throws IOException {
        // the current thread reads its own state while it is in native code of the JDK
        inNative = fields.state(own);
        require(fields.state(initializer) != inNative, "the state of a thread that computes");
        step = PARKED;
        await(() -> initializing.getState() == Thread.State.TIMED_WAITING);
    }

    /** Gives the places at which the thread that waits for a class may have that. */
    private List<Long> proveClasses(long initializer, Thread waiting, long waiter)
            throws IOException {
        long first = fields.klass(firstClass);
        long second = fields.klass(secondClass);
        beingInitialized = fields.initState(first);
        // in the JVM the name of a hidden class has a different separator (Klass::external_name)
        require(
                fields.name(first).equals(firstClass.getName().replace('/', '+')),
                "the name of a class");
        require(fields.initThread(first) == initializer, "the thread that initializes a class");
        require(
                fields.initState(second) != beingInitialized,
                "a class that is not initialized yet");
        await(() -> !places(waiter, first).isEmpty());
        step = FIRST_DONE;
        // the one that initialized the first is to initialize the second as well
        await(() -> initializesSecond && waiting.getState() == Thread.State.TIMED_WAITING);
        require(fields.initState(first) != beingInitialized, "a class that is initialized");
        require(fields.initThread(first) == 0, "a class that is initialized");
        require(fields.initState(second) == beingInitialized, "a class that is being initialized");
        require(fields.initThread(second) == initializer, "the thread that initializes a class");
        step = SECOND_AWAITED;
        await(
                () ->
                        waiting.getState() != Thread.State.TIMED_WAITING
                                && !places(waiter, second).isEmpty()
                                && areBlocked(waiter, initializer));
        return emptyIn(initializer, places(waiter, second));
    }

    /**
     * Returns whether two threads, of which one waits for a class and one is parked, are in one
     * state.
     */
    private boolean areBlocked(long waiter, long initializer) throws IOException {
        int state = fields.state(waiter);
        boolean agrees = state != inNative && state == fields.state(initializer);
        agreeing = agrees && (state == blocked || agreeing == 0) ? agreeing + 1 : 0;
        blocked = state;
        return agreeing >= MIN_AGREEING;
    }

    /** The places at which a JavaThread has {@code klass}. */
    private List<Long> places(long thread, long klass) throws IOException {
        List<Long> places = new ArrayList<>();
        ByteBuffer memory = fields.thread(thread);
        for (int at = 0; at + Long.BYTES <= memory.limit(); at += Long.BYTES) {
            if (memory.getLong(at) == klass) {
                places.add((long) at);
            }
        }
        return places;
    }

    /**
     * Finds the one of {@code places} that is empty again when the thread waits for no class any
     * more. HotSpot's table does not contain the place in which a thread keeps the class that it
     * waits for; elsewhere in a JavaThread the class that it initialized last stays.
     */
    private long placeOfAwaited(List<Long> places, long thread) throws IOException {
        List<Long> empty = emptyIn(thread, places);
        require(empty.size() == 1, "where a thread has the class that it waits for");
        return empty.get(0);
    }

    private List<Long> emptyIn(long thread, List<Long> places) throws IOException {
        List<Long> empty = new ArrayList<>();
        for (long place : places) {
            if (fields.word(thread, place) == 0) {
                empty.add(place);
            }
        }
        return empty;
    }

    private Facts proveMonitors(Thread waiting, long waiter, long own, List<Long> places)
            throws IOException, InterruptedException {
        require(fields.pendingMonitor(waiter) == 0, "a thread that waits for no monitor");
        synchronized (locked) {
            long first;
            long owner;
            boolean inHeader;
            synchronized (inflated) {
                while (step < SECOND_DONE) {
                    inflated.wait(1); // waiting inflates it
                    step = SECOND_DONE;
                }
                first = pendingMonitor(waiting, waiter, 0);
                awaitedClass = placeOfAwaited(places, waiter);
                owner = fields.owner(first);
                inHeader = Fields.monitorIn(Fields.header(inflated)) == first;
            }
            long second = pendingMonitor(waiting, waiter, first);
            long ownerBefore = fields.owner(second);
            return new Facts(
                    inNative,
                    blocked,
                    awaitedClass,
                    beingInitialized,
                    owner == Thread.currentThread().threadId(),
                    owner == own,
                    inHeader,
                    fields.isInStack(own, ownerBefore),
                    fields.isInLockStack(own, fields.oop(second)));
        }
    }

    private long pendingMonitor(Thread waiting, long waiter, long other) throws IOException {
        await(
                () ->
                        waiting.getState() == Thread.State.BLOCKED
                                && isOther(fields.pendingMonitor(waiter), other));
        return fields.pendingMonitor(waiter);
    }

    private static boolean isOther(long monitor, long other) {
        return monitor != 0 && monitor != other;
    }

    private void await(Condition condition) throws IOException {
        while (!condition.holds()) {
            boolean over = AgentThread.isDetached() || System.nanoTime() - beganNanos >= MAX_NANOS;
            require(!over, "what the self-test waited for");
            AgentThread.pause(POLL_NANOS);
        }
    }

    private static void require(boolean proved, String what) {
        if (!proved) {
            throw new IllegalStateException("not proved: " + what);
        }
    }

    void initializeFirst() {
        spins = true;
        while (step < PARKED) {
            Thread.onSpinWait();
        }
        awaitStep(FIRST_DONE);
    }

    void initializeSecond() {
        initializesSecond = true;
        awaitStep(SECOND_DONE);
    }

    private void awaitStep(int awaited) {
        while (step < awaited) {
            LockSupport.parkNanos(POLL_NANOS);
        }
    }

    private static void enter(Object monitor) {
        synchronized (monitor) {
            Thread.onSpinWait();
        }
    }
}
