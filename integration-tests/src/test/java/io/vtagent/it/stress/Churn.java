package io.vtagent.it.stress;

import io.vtagent.it.workload.WorkloadConsole;
import java.io.IOException;
import java.io.InputStream;
import java.lang.instrument.ClassDefinition;
import java.lang.instrument.Instrumentation;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * {@code MINUTES [WITHOUT]}: threads mount, unmount, block and end, classes are initialized,
 * redefined and unloaded, and the heap is full now and then, while two threads ask HotSpot's memory
 * in a loop for all that the agent asks it for, and take stacks. {@code WITHOUT} is {@code stacks},
 * {@code heap} or both: no stacks are taken, the heap is not filled. The agent's classes are on the
 * class path besides. It ends with {@code done}, or the JVM does.
 */
@SuppressWarnings("ThreadPriorityCheck") // to yield is to mount again
public final class Churn {
    private static final int VIRTUAL_THREADS = 100;
    private static final long MILLI_NANOS = 1_000_000;

    private static @Nullable Instrumentation instrumentation;
    private static final Object MONITOR = new Object();
    private static final Object MEMORY = new Object();
    private static final AtomicLong CALLS = new AtomicLong();
    private static final AtomicLong ANSWERS = new AtomicLong();
    private static final AtomicLong LOADERS = new AtomicLong();
    private static final AtomicLong REDEFINED = new AtomicLong();
    private static final AtomicLong FILLED = new AtomicLong();
    private static volatile boolean over;
    private static volatile Class<?> newest = Object.class;

    private Churn() {}

    /** Called by the JVM. */
    public static void premain(@Nullable String arguments, Instrumentation given) {
        instrumentation = given;
    }

    /** Is defined by one loader after the other, and initialized by several threads at once. */
    public static final class Unloaded implements Runnable {
        private static final long BORN = born();

        private static long born() {
            LockSupport.parkNanos(MILLI_NANOS);
            return System.nanoTime();
        }

        @Override
        public void run() {
            if (BORN == 0) {
                throw new IllegalStateException();
            }
        }
    }

    private static final class Loader extends ClassLoader {
        private final byte[] classFile;

        Loader(byte[] classFile) {
            super(null);
            this.classFile = classFile;
        }

        Class<?> define() {
            return defineClass(Unloaded.class.getName(), classFile, 0, classFile.length);
        }
    }

    public static void main(String[] arguments) throws Throwable {
        String without = arguments.length > 1 ? arguments[1] : "";
        Questions questions = new Questions(!without.contains("stacks"));
        for (int i = 0; i < VIRTUAL_THREADS; i++) {
            int kind = i % 4;
            Thread.ofVirtual().start(() -> mountAndUnmount(kind));
        }
        byte[] classFile = classFile();
        go("ask", questions::ask);
        go("ask-too", questions::ask);
        go("end", Churn::startAndEnd);
        go("load", () -> loadAndForget(classFile));
        go("redefine", () -> redefine(classFile));
        if (!without.contains("heap")) {
            go("fill", Churn::fill);
        }
        for (int minute = 1; minute <= Integer.parseInt(arguments[0]); minute++) {
            TimeUnit.MINUTES.sleep(1);
            report(minute);
        }
        over = true;
        WorkloadConsole.fact("calls", CALLS);
        WorkloadConsole.fact("answers", ANSWERS);
        WorkloadConsole.fact("loaders", LOADERS);
        WorkloadConsole.fact("redefined", REDEFINED);
        WorkloadConsole.fact("filled", FILLED);
        WorkloadConsole.done();
    }

    private static void report(int minute) {
        try {
            WorkloadConsole.fact("minute", minute);
        } catch (OutOfMemoryError full) {
            report(minute);
        }
    }

    private interface Step {
        void run() throws Throwable;
    }

    /** Repeats {@code step}, which may fail for lack of memory. */
    private static void go(String name, Step step) {
        Thread.ofPlatform()
                .daemon()
                .name(name)
                .start(
                        () -> {
                            while (!over) {
                                try {
                                    step.run();
                                } catch (OutOfMemoryError
                                        | LinkageError
                                                full) { // or a lambda could not be linked for that
                                    Thread.yield();
                                } catch (Throwable failure) {
                                    failure.printStackTrace();
                                    Runtime.getRuntime().halt(3);
                                }
                            }
                        });
    }

    private static void mountAndUnmount(int kind) {
        while (!over) {
            try {
                switch (kind) {
                    case 0 -> LockSupport.parkNanos(1);
                    case 1 -> LockSupport.parkNanos(MILLI_NANOS);
                    case 2 -> {
                        synchronized (MONITOR) {
                            LockSupport.parkNanos(10_000);
                        }
                    }
                    default -> {
                        newest.getDeclaredConstructor().newInstance();
                        Thread.yield();
                    }
                }
            } catch (OutOfMemoryError | ReflectiveOperationException | LinkageError full) {
                LockSupport.parkNanos(MILLI_NANOS);
            }
        }
    }

    private static void startAndEnd() throws InterruptedException {
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            started.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        synchronized (MONITOR) {
                                            Thread.onSpinWait();
                                        }
                                    }));
        }
        for (Thread thread : started) {
            thread.join();
        }
    }

    private static void loadAndForget(byte[] classFile) throws Exception {
        Class<?> type = new Loader(classFile).define();
        newest = type;
        Thread first = Thread.ofPlatform().start(() -> initialize(type)); // virtual ones do, too
        Thread second = Thread.ofPlatform().start(() -> initialize(type));
        first.join();
        second.join();
        if (LOADERS.incrementAndGet() % 50 == 0) {
            System.gc(); // after which the classes go
        }
    }

    private static void initialize(Class<?> type) {
        try {
            ((Runnable) type.getDeclaredConstructor().newInstance()).run();
        } catch (OutOfMemoryError | ReflectiveOperationException | LinkageError full) {
            Thread.yield();
        }
    }

    private static void redefine(byte[] classFile) throws Exception {
        Instrumentation given = instrumentation;
        Class<?> type = newest;
        if (given != null && type != Object.class) {
            // without memory, java.instrument ends the JVM (observed on JDK 26)
            synchronized (MEMORY) {
                given.redefineClasses(new ClassDefinition(type, classFile));
                given.retransformClasses(Churn.class);
            }
            REDEFINED.incrementAndGet();
        }
        LockSupport.parkNanos(5 * MILLI_NANOS);
    }

    private static void fill() {
        synchronized (MEMORY) {
            fillHeap();
        }
        LockSupport.parkNanos(200 * MILLI_NANOS);
    }

    @SuppressWarnings("ModifiedButNotUsed") // to be there is its use
    private static void fillHeap() {
        List<byte[]> garbage = new ArrayList<>();
        try {
            while (!over) {
                garbage.add(new byte[1 << 20]);
            }
        } catch (OutOfMemoryError full) {
            garbage.clear();
            FILLED.incrementAndGet();
        }
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = Churn.class.getResourceAsStream("Churn$Unloaded.class")) {
            if (in == null) {
                throw new IOException("its class file is missing");
            }
            return in.readAllBytes();
        }
    }

    /**
     * Requests of the agent: of carriers and of threads that may have ended, of classes that may
     * go, of monitors that may be freed.
     */
    private static final class Questions {
        private final boolean takesStacks;
        private final Object hotspot;
        private final MethodHandle at;
        private final MethodHandle kernelId;
        private final MethodHandle pendingMonitor;
        private final MethodHandle ownerOf;
        private final MethodHandle ownerOfObject;
        private final MethodHandle awaitedClass;
        private final MethodHandle isBeingInitialized;
        private final MethodHandle isLinked;
        private final MethodHandle allThreads;

        Questions(boolean takesStacks) throws ReflectiveOperationException {
            this.takesStacks = takesStacks;
            Class<?> type = Class.forName("io.vtagent.hotspot.HotSpot");
            hotspot = type.getMethod("ofThisJvm").invoke(null);
            while (!(boolean)
                    type.getMethod("isProved")
                            .invoke(hotspot)) { // on a busy machine it is proved later
                type.getMethod("ofThisJvm").invoke(null);
                LockSupport.parkNanos(MILLI_NANOS);
            }
            at = handle(type, "at", Thread.class);
            kernelId = handle(type, "kernelId", Thread.class);
            pendingMonitor = handle(type, "pendingMonitor", Thread.class);
            ownerOf = handle(type, "ownerOf", long.class, Thread[].class);
            ownerOfObject = handle(type, "ownerOf", Object.class, Thread[].class);
            awaitedClass = handle(type, "awaitedClass", Thread.class);
            isBeingInitialized = handle(type, "isBeingInitialized", Class.class);
            isLinked = handle(type, "isLinked", Class.class);
            Method all = Thread.class.getDeclaredMethod("getAllThreads");
            all.setAccessible(true);
            allThreads = MethodHandles.lookup().unreflect(all);
        }

        private MethodHandle handle(Class<?> type, String name, Class<?>... parameters)
                throws ReflectiveOperationException {
            return MethodHandles.lookup()
                    .unreflect(type.getMethod(name, parameters))
                    .bindTo(hotspot);
        }

        void ask() throws Throwable {
            Thread[] threads = (Thread[]) allThreads.invoke();
            for (int round = 0; round < 20 && !over; round++) {
                for (Thread thread : threads) { // most of which have ended some rounds later
                    Object moment = at.invoke(thread);
                    long id = (long) kernelId.invoke(thread);
                    long monitor = (long) pendingMonitor.invoke(thread);
                    long owner = monitor > 0 ? (long) ownerOf.invoke(monitor, threads) : 0;
                    Object awaited = awaitedClass.invoke(thread);
                    CALLS.addAndGet(5);
                    ANSWERS.addAndGet(
                            (awaited == null ? 0 : 1) + (owner > 0 ? 1 : 0) + (id > 0 ? 1 : 0));
                    if (moment == null) {
                        throw new IllegalStateException();
                    }
                }
                Class<?> type = newest;
                boolean known =
                        (boolean) isBeingInitialized.invoke(type)
                                && (boolean) isLinked.invoke(type);
                long owner = (long) ownerOfObject.invoke(MONITOR, threads);
                CALLS.addAndGet(known || owner > 0 ? 3 : 2);
            }
            for (Thread thread : takesStacks ? threads : new Thread[0]) {
                CALLS.addAndGet(
                        thread == Thread.currentThread() || thread.getStackTrace().length < 0
                                ? 0
                                : 1);
            }
        }
    }
}
