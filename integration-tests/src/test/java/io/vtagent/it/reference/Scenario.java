package io.vtagent.it.reference;

import java.time.Duration;
import java.util.Set;

/** The workloads to measure, each with as many virtual threads as hold what there is to hold. */
public enum Scenario {
    OWN_MONITORS("sleep in a monitor of one's own", Holds.WHERE_MONITORS_PIN, 40, OwnMonitors::new),
    SHARED_BLOCK(
            "sleep in a shared block",
            Holds.WHERE_MONITORS_PIN,
            16,
            (threads, limit) -> SharedMonitors.block()),
    SHARED_METHOD(
            "sleep in a shared method",
            Holds.WHERE_MONITORS_PIN,
            16,
            (threads, limit) -> SharedMonitors.method()),
    STATIC_METHOD(
            "sleep in a static method",
            Holds.WHERE_MONITORS_PIN,
            16,
            (threads, limit) -> SharedMonitors.statically()),
    WAITING_POOL(
            "pool with `Object.wait`",
            Holds.WHERE_MONITORS_PIN,
            24,
            (threads, limit) -> new WaitingPool()),
    TIMED_WAIT("`Object.wait` with a time", Holds.WHERE_MONITORS_PIN, 24, TimedWaits::new),
    COMPUTE_IF_ABSENT(
            "`ConcurrentHashMap.computeIfAbsent`, contended",
            Holds.WHERE_MONITORS_PIN,
            16,
            (threads, limit) -> new ComputeIfAbsent()),
    HASHTABLE(
            "`Hashtable.get`, contended",
            Holds.WHERE_MONITORS_PIN,
            16,
            (threads, limit) -> new SlowHashtable()),
    CLASS_INITIALIZER("class initializer with waiters", Holds.ALWAYS, 8, ClassInitializers::new),
    CLASS_BY_NAME(
            "class initializer, awaited by `Class.forName`",
            Holds.ALWAYS,
            8,
            AwaitedInitializer.via(ClassTrigger.FOR_NAME)),
    CLASS_LOADER(
            "class loader that sleeps, with waiters",
            Holds.ALWAYS,
            8,
            AwaitedLoader.via(ClassTrigger.LINK)),
    NATIVE_FRAME(
            "sleep below a native frame", Holds.ALWAYS, 16, (threads, limit) -> new NativeFrame()),
    NATIVE_SLEEP("`usleep` through JNA", Holds.ALWAYS, 16, (threads, limit) -> new NativeSleep()),
    NATIVE_SLEEP_AT_TIMES(
            "`usleep` through JNA, by one thread, at times",
            Holds.ALWAYS,
            1,
            (threads, limit) -> new NativeSleepAtTimes()),
    NATIVE_LOCK("`flock` through JNA, contended", Holds.ALWAYS, 16, NativeLock::new),
    SOCKET_READ("socket reads in a monitor", Holds.WHERE_MONITORS_PIN, 40, SocketReads::new),
    FILE_READ("file reads that block", Holds.ALWAYS, 16, FileReads::new),
    PROCESS_READ("reads of a process' output", Holds.ALWAYS, 8, ProcessReads::new),
    GARBAGE(
            "sleep below a native frame, while garbage is collected",
            Holds.ALWAYS,
            16,
            NativeFrameAmidGarbage::new),
    MIX("all of these at once", Holds.ALWAYS, 200, MixedWorkload::new),
    COMPUTING("computing, as a control", Holds.NEVER, 16, (threads, limit) -> new Computing()),
    START_UP(
            "all of these and what services load, from the first virtual thread on",
            Holds.ALWAYS,
            200,
            StartUp::new);

    private enum Holds {
        ALWAYS,
        WHERE_MONITORS_PIN,
        NEVER
    }

    private final String title;
    private final Holds holds;
    private final int threads;

    @SuppressWarnings("ImmutableEnumChecker") // none of them keeps anything
    private final Workload.Factory factory;

    Scenario(String title, Holds holds, int threads, Workload.Factory factory) {
        this.title = title;
        this.holds = holds;
        this.threads = threads;
        this.factory = factory;
    }

    public String title() {
        return title;
    }

    /** Whether it holds carriers at all. */
    public boolean holds(boolean monitorsPin) {
        return holds == Holds.ALWAYS || (holds == Holds.WHERE_MONITORS_PIN && monitorsPin);
    }

    /**
     * Whether the threads hold their carriers all the time that they are in the workload, where
     * they hold them.
     *
     * @param waitersUnmount whether a thread that waits for another's class initializer can unmount
     */
    public boolean holdsAllTheTime(boolean waitersUnmount) {
        return switch (this) {
            case WAITING_POOL, MIX, START_UP, CLASS_BY_NAME, CLASS_LOADER, NATIVE_SLEEP_AT_TIMES ->
                    false;
            case CLASS_INITIALIZER -> !waitersUnmount;
            default -> true;
        };
    }

    /** Returns whether the agent only samples it, at random times, at least on some JDK. */
    public boolean isSampled() {
        return switch (this) {
            case NATIVE_SLEEP,
                    NATIVE_SLEEP_AT_TIMES,
                    NATIVE_LOCK,
                    FILE_READ,
                    PROCESS_READ,
                    CLASS_BY_NAME,
                    CLASS_LOADER,
                    MIX,
                    START_UP ->
                    true;
            default -> false;
        };
    }

    /** Whether it is measured in a JVM of its own, in which nothing has run before. */
    public boolean isStartUp() {
        return this == START_UP;
    }

    /** The kinds of its pins in which Java does not know that the thread is blocked. */
    public Set<String> offCpuKinds() {
        return switch (this) {
            case CLASS_INITIALIZER, CLASS_BY_NAME -> Set.of("class_init");
            case NATIVE_SLEEP, NATIVE_SLEEP_AT_TIMES, NATIVE_LOCK -> Set.of("native");
            case FILE_READ, PROCESS_READ -> Set.of("io", "native");
            case MIX -> Set.of("class_init", "native", "io");
            // and what is loaded and linked there for the first time lets others wait in the JVM
            case START_UP -> Set.of("class_init", "native", "io", "jvm");
            default -> Set.of();
        };
    }

    /** For how long it is measured where most are for {@code length}. */
    Duration lasting(Duration length) {
        return this == NATIVE_SLEEP_AT_TIMES ? length.multipliedBy(8) : length;
    }

    int threads() {
        return threads;
    }

    Workload.Factory factory() {
        return factory;
    }
}
