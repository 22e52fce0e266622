package io.vtagent.it.reference;

import java.time.Duration;

/** The ways of blocking in {@code docs/pinning-by-jdk.md}, JDK by JDK. */
public enum JdkCase {
    PARK_IN_MONITOR("`Thread.sleep` in `synchronized`", "park monitor", "", OwnMonitors::new),
    OBJECT_WAIT("`Object.wait`", "wait monitor", "", TimedWaits::new),
    CONTENDED_MONITOR(
            "entering a monitor that another thread has", "enter monitor", "", AwaitedMonitor::new),
    NATIVE_FRAME(
            "`Thread.sleep` in what native code has called",
            "park native",
            "park native",
            (threads, limit) -> new NativeCallback()),
    INITIALIZER(
            "a class initializer that sleeps",
            "park class_init",
            "park class_init",
            (threads, limit) ->
                    new PerThread<>(
                            threads,
                            limit,
                            () -> new FreshInitializer(() -> {}),
                            subject -> subject.initialize(ClassTrigger.LINK))),
    AWAITED(
            "waiting for another thread's initializer, at a static member",
            Constants.AWAITED,
            Constants.AWAITED,
            AwaitedInitializer.via(ClassTrigger.LINK)),
    AWAITED_BY_NAME(
            "the same, by `Class.forName`",
            Constants.AWAITED,
            Constants.AWAITED,
            AwaitedInitializer.via(ClassTrigger.FOR_NAME)),
    AWAITED_BY_REFLECTION(
            "the same, by `Method.invoke`",
            Constants.AWAITED,
            Constants.AWAITED,
            AwaitedInitializer.via(ClassTrigger.REFLECTION)),
    AWAITED_BY_HANDLE(
            "the same, by a `MethodHandle`",
            Constants.AWAITED,
            Constants.AWAITED,
            AwaitedInitializer.via(ClassTrigger.METHOD_HANDLE)),
    AWAITED_LINKING(
            "a class that another thread is linking",
            Constants.AWAITED,
            Constants.AWAITED,
            AwaitedLinking::new),
    LOADER(
            "a class loader that sleeps, called to link a class",
            "park monitor",
            "park critical_section",
            loader(ClassTrigger.LINK, AwaitedOperation::block)),
    LOADER_BY_NAME(
            "the same, by `Class.forName`",
            "park monitor",
            "park critical_section",
            loader(ClassTrigger.FOR_NAME, AwaitedOperation::block)),
    LOADER_BY_CALL(
            "the same, by `ClassLoader.loadClass`",
            "park monitor",
            "",
            loader(ClassTrigger.LOAD_CLASS, AwaitedOperation::block)),
    WAITING_LOADER(
            "a class loader that is in `Object.wait`, called to link a class",
            "wait monitor",
            "wait critical_section",
            loader(ClassTrigger.LINK, AwaitedOperation::waitForAWhile)),
    WAITING_LOADER_BY_CALL(
            "the same, by `ClassLoader.loadClass`",
            "wait monitor",
            "",
            loader(ClassTrigger.LOAD_CLASS, AwaitedOperation::waitForAWhile)),
    SAME_CLASS(
            "linking a class that another thread is loading",
            "enter monitor",
            "enter critical_section",
            AwaitedLoader.via(ClassTrigger.LINK)),
    SAME_CLASS_BY_CALL(
            "the same, by `ClassLoader.loadClass`",
            "enter monitor",
            "",
            AwaitedLoader.via(ClassTrigger.LOAD_CLASS)),
    LOCKED_LOADER(
            "linking a class of a loader that the JVM has locked for another thread",
            "enter monitor",
            "enter critical_section",
            AwaitedLoader.locked()),
    JOIN(
            "`Thread.join` of a platform thread",
            "wait monitor",
            "",
            (threads, limit) -> new PlatformJoins()),
    SELECTOR("`Selector.select`", "io none", "", SelectorWaits::new),
    FILE("reading or writing a file", "io none", "native none", FileReads::new),
    OPENING("opening a file", "io none", "native none", FifoCalls.opens()),
    CHANNEL("`FileChannel.read`", "io none", "native none", FifoCalls.readsOfChannels()),
    SYNCHRONOUS_WRITE(
            "writing a file that is open as `rwd`",
            "io none",
            "io none",
            FifoCalls.synchronousWrites()),
    FILE_LOCK("`FileChannel.lock`", "io none", "io none", FileLocks::new),
    PROCESS("reading what a process prints", "io none", "io none", ProcessReads::new),
    NATIVE_CODE(
            "native code that sleeps",
            "native none",
            "native none",
            (threads, limit) -> new NativeSleep());

    /** Constants for those above. */
    private static final class Constants {
        static final String AWAITED = "class_init class_init";
    }

    private static final int THREADS = 4;

    private final String title;
    private final String whereMonitorsPin;
    private final String elsewhere;

    @SuppressWarnings("ImmutableEnumChecker") // none of them keeps anything
    private final Workload.Factory factory;

    /**
     * @param whereMonitorsPin kind and reason there, empty if the thread unmounts
     * @param elsewhere the same where monitors do not pin
     */
    JdkCase(String title, String whereMonitorsPin, String elsewhere, Workload.Factory factory) {
        this.title = title;
        this.whereMonitorsPin = whereMonitorsPin;
        this.elsewhere = elsewhere;
        this.factory = factory;
    }

    private static Workload.Factory loader(ClassTrigger via, Runnable block) {
        return (threads, limit) ->
                new PerThread<>(
                        threads,
                        limit,
                        () -> new SlowLoader(() -> {}, block),
                        subject -> subject.load(via));
    }

    public String title() {
        return title;
    }

    /**
     * Kind and reason of its pins, as the agent is to call them; empty if the thread unmounts.
     *
     * @param waitersUnmount whether a thread that waits at a static member until another has linked
     *     or initialized the class can unmount
     */
    public String kindAndReason(boolean monitorsPin, boolean waitersUnmount) {
        if (waitersUnmount && (this == AWAITED || this == AWAITED_LINKING)) {
            return "";
        }
        return monitorsPin ? whereMonitorsPin : elsewhere;
    }

    ScenarioMain.Inside run(Duration length) throws Exception {
        return ScenarioMain.run(THREADS, factory, length);
    }
}
