package io.vtagent.it.truth;

import java.time.Duration;

/** The ways of blocking that {@code docs/jdks.md} tells of, JDK by JDK. */
public enum JdkCase {
    PARK_IN_MONITOR("`Thread.sleep` in `synchronized`", OwnMonitors::new),
    OBJECT_WAIT("`Object.wait`", TimedWaits::new),
    CONTENDED_MONITOR("entering a monitor that another thread has", AwaitedMonitor::new),
    NATIVE_FRAME("`Thread.sleep` in what native code has called", (threads, limit) -> new NativeCallback()),
    INITIALIZER(
            "a class initializer that sleeps",
            (threads, limit) -> new PerThread<>(
                    threads, limit, () -> new InitializedAnew(() -> {}), subject -> subject.initialize(Via.LINK))),
    AWAITED("waiting for another thread's initializer, at a static member", AwaitedInitializer.via(Via.LINK)),
    AWAITED_BY_NAME("the same, by `Class.forName`", AwaitedInitializer.via(Via.FOR_NAME)),
    AWAITED_BY_REFLECTION("the same, by `Method.invoke`", AwaitedInitializer.via(Via.REFLECTION)),
    AWAITED_BY_HANDLE("the same, by a `MethodHandle`", AwaitedInitializer.via(Via.METHOD_HANDLE)),
    LOADER("a class loader that sleeps, called to link a class", loader(Via.LINK)),
    LOADER_BY_NAME("the same, by `Class.forName`", loader(Via.FOR_NAME)),
    LOADER_BY_CALL("the same, by `ClassLoader.loadClass`", loader(Via.LOAD_CLASS)),
    SAME_CLASS("linking a class that another thread is loading", AwaitedLoader.via(Via.LINK)),
    SAME_CLASS_BY_CALL("the same, by `ClassLoader.loadClass`", AwaitedLoader.via(Via.LOAD_CLASS)),
    FILE("file I/O", FileReads::new),
    NATIVE_CODE("native code that sleeps", (threads, limit) -> new NativeSleep());

    private static final int THREADS = 4;

    private final String title;

    @SuppressWarnings("ImmutableEnumChecker") // none of them keeps anything
    private final Workload.Factory factory;

    JdkCase(String title, Workload.Factory factory) {
        this.title = title;
        this.factory = factory;
    }

    private static Workload.Factory loader(Via via) {
        return (threads, limit) ->
                new PerThread<>(threads, limit, () -> new LoadedSlowly(() -> {}), subject -> subject.load(via));
    }

    public String title() {
        return title;
    }

    Measured.Inside run(Duration length) throws Exception {
        return Measured.run(THREADS, factory, length);
    }
}
