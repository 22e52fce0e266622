package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.lang.invoke.MethodHandles;
import java.lang.reflect.Constructor;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

class MonitorStackWalkerTest {
    private static final MonitorStackWalker WALKER =
            new MonitorStackWalker(new FramesOfInterest(64));

    // The test itself lives in the agent's module, whose frames the walker leaves out, so the
    // frames under test are the
    // JDK's.

    @Test
    void theHolderIsTheFrameWithAMonitorNearestToTheTop() {
        PinnedStack stack = insideComputeIfAbsent(WALKER::heldByMonitor);

        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.MONITOR);
        assertThat(stack.holder())
                .startsWith("java.util.concurrent.ConcurrentHashMap.computeIfAbsent:");
        assertThat(stack.monitorClass())
                .isEqualTo("java.util.concurrent.ConcurrentHashMap$ReservationNode");
        assertThat(stack.frames().get(stack.holderIndex()))
                .contains("ConcurrentHashMap.computeIfAbsent");
    }

    @Test
    void aThreadThatWaitsToEnterAMonitorKeepsTheMonitorsThatItHas() {
        PinnedStack stack = insideComputeIfAbsent(() -> WALKER.heldByEntry(new Thread()));

        assertThat(stack.monitorClass()).isEqualTo("java.lang.Thread");
        assertThat(stack.monitors())
                .hasSize(1)
                .allSatisfy(
                        (frame, monitors) -> {
                            assertThat(frame).contains("ConcurrentHashMap.computeIfAbsent");
                            assertThat(monitors.keptByWait())
                                    .isEqualTo(
                                            "java.util.concurrent.ConcurrentHashMap$ReservationNode");
                        });
    }

    @Test
    void aMonitorThatWasEnteredJustNowIsNotOneThatWasKeptMeanwhile() {
        Map<String, PinnedStack> map =
                Collections.synchronizedMap(new HashMap<>()); // the monitor is its own
        PinnedStack stack = map.computeIfAbsent("", any -> WALKER.heldByEntry(map));

        assertThat(stack.monitorClass()).isEqualTo("java.util.Collections$SynchronizedMap");
        assertThat(stack.monitors()).isEmpty();
    }

    @Test
    void aClassInitializerIsACauseOfItsOwn() {
        assertThat(Initializer.CAUSE).isEqualTo(PinnedStack.Cause.CLASS_INIT);
    }

    @Test
    void aClassLoaderIsWhatHoldsACriticalSection() throws ClassNotFoundException {
        PinnedStack stack = new WalkingLoader().found(WALKER::heldByCriticalSection);

        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.CLASS_LOADER);
        assertThat(stack.holder()).startsWith("java.lang.ClassLoader.loadClass:");
        // the one that was called, and not the one that it has called itself
        assertThat(stack.frames().get(stack.holderIndex() - 1))
                .contains("java.lang.ClassLoader.loadClass(");
        assertThat(stack.frames().get(stack.holderIndex() + 1)).doesNotContain("ClassLoader");
        assertThat(stack.mark()).isEqualTo("  <== class loader");
    }

    @Test
    void aCriticalSectionOfTheJdksOwnIsHeldByTheCall() {
        PinnedStack stack = insideComputeIfAbsent(WALKER::heldByCriticalSection);

        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.NONE);
        assertThat(stack.holderIndex()).isEqualTo(-1);
    }

    @Test
    void aClassLoaderBelowAMonitorWouldHoldTheCarrierWithoutIt() throws ClassNotFoundException {
        PinnedStack stack =
                new WalkingLoader().found(() -> insideComputeIfAbsent(WALKER::heldByMonitor));

        assertThat(stack.holder())
                .startsWith("java.util.concurrent.ConcurrentHashMap.computeIfAbsent:");
        assertThat(stack.nativeFrame()).startsWith("java.lang.ClassLoader.loadClass:");
    }

    @Test
    void withoutNativeFramesThereIsNoNativeCause() throws InterruptedException {
        Cause cause = new Cause();
        Thread thread = new Thread(cause);
        thread.start();
        thread.join();
        assertThat(cause.found).isEqualTo(PinnedStack.Cause.NONE);
    }

    @Test
    void noMoreFramesAreKeptThanAskedFor() {
        PinnedStack stack =
                insideComputeIfAbsent(
                        new MonitorStackWalker(new FramesOfInterest(1))::heldByMonitor);
        assertThat(stack.frames()).hasSize(1);
        assertThat(stack.holder())
                .startsWith("java.util.concurrent.ConcurrentHashMap.computeIfAbsent:");
    }

    @Test
    void theCallerIsTheNearestLineOfTheUsersOwnPackagesFromTheHolderOutward() throws Exception {
        UnaryOperator<Supplier<PinnedStack>> library = foreign(Library.class);
        UnaryOperator<Supplier<PinnedStack>> application = foreign(Application.class);
        MonitorStackWalker walker =
                new MonitorStackWalker(
                        new FramesOfInterest(1, List.of(Application.class.getName())));
        String line = Application.class.getName() + ".apply:";

        PinnedStack held = application.apply(library.apply(walker::heldByMonitor)).get();
        assertThat(held.holder()).startsWith(Library.class.getName() + ".apply:");
        assertThat(held.caller()).startsWith(line);

        PinnedStack called = application.apply(library.apply(walker::heldByCall)).get();
        assertThat(called.holder()).startsWith(Library.class.getName() + ".apply:");
        assertThat(called.caller()).startsWith(line);

        assertThat(library.apply(application.apply(walker::heldByMonitor)).get().caller())
                .as("not what the holder calls")
                .isNull();
        assertThat(application.apply(walker::heldByCall).get().caller())
                .as("the holder itself")
                .isNull();
    }

    @Test
    void withoutSuchALineTheCallerIsTheNearestThatIsNotTheJdks() throws Exception {
        UnaryOperator<Supplier<PinnedStack>> library = foreign(Library.class);
        MonitorStackWalker walker =
                new MonitorStackWalker(new FramesOfInterest(1, List.of("com.acme")));

        assertThat(library.apply(walker::heldByMonitor).get().caller()).isNull();
        assertThat(library.apply(() -> insideComputeIfAbsent(walker::heldByMonitor)).get().caller())
                .startsWith(Library.class.getName() + ".apply:");
        assertThat(insideComputeIfAbsent(walker::heldByMonitor).caller()).isNull();
    }

    @Test
    @SuppressWarnings("unchecked")
    void whatPassesACallOnIsNeitherOperationNorCallerNorSite() throws Exception {
        Method get = Supplier.class.getMethod("get");
        Supplier<Supplier<PinnedStack>> byReflection =
                () ->
                        () -> {
                            Supplier<PinnedStack> walk = WALKER::heldByCall;
                            try {
                                return (PinnedStack) Objects.requireNonNull(get.invoke(walk));
                            } catch (ReflectiveOperationException failed) {
                                throw new LinkageError("public", failed);
                            }
                        };
        Supplier<PinnedStack> proxy =
                (Supplier<PinnedStack>)
                        Proxy.newProxyInstance(
                                null,
                                new Class<?>[] {Supplier.class},
                                (self, method, arguments) -> WALKER.heldByCall());

        for (Supplier<PinnedStack> passingOn : List.of(byReflection.get(), proxy)) {
            PinnedStack stack = foreign(Application.class).apply(passingOn).get();
            assertThat(stack.operation()).isEqualTo("synchronized");
            assertThat(stack.holder()).startsWith(Application.class.getName() + ".apply:");
        }
    }

    @Test
    void aHookInsideAHookReadsTheAgentsOwnStack() throws Exception {
        UnaryOperator<Supplier<PinnedStack>> probe = probe();

        assertThat(probe.apply(() -> insideComputeIfAbsent(WALKER::heldByCall)).get())
                .isSameAs(PinnedStack.AGENTS);
        assertThat(insideComputeIfAbsent(probe.apply(WALKER::heldByCall)).frames().getFirst())
                .as("read by a hook that is in no other")
                .contains("ConcurrentHashMap.computeIfAbsent");
    }

    /** The probe has such a name at run time. */
    @SuppressWarnings("unchecked")
    private static UnaryOperator<Supplier<PinnedStack>> probe() throws Exception {
        Constructor<?> constructor =
                MethodHandles.privateLookupIn(Object.class, MethodHandles.lookup())
                        .defineClass(probeFile())
                        .getDeclaredConstructor();
        constructor.setAccessible(true);
        var code = (Function<Supplier<?>, Object>) constructor.newInstance();
        return called -> () -> (PinnedStack) code.apply(called);
    }

    private static byte[] probeFile() {
        String supplier = "java/util/function/Supplier";
        ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String[] interfaces = {"java/util/function/Function"};
        type.visit(
                Opcodes.V21,
                Opcodes.ACC_SUPER,
                "java/lang/VtAgentInTest",
                null,
                "java/lang/Object",
                interfaces);
        MethodVisitor constructor = type.visitMethod(0, "<init>", "()V", null, null);
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(
                Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(0, 0);
        String descriptor = "(Ljava/lang/Object;)Ljava/lang/Object;";
        MethodVisitor apply = type.visitMethod(Opcodes.ACC_PUBLIC, "apply", descriptor, null, null);
        apply.visitVarInsn(Opcodes.ALOAD, 1);
        apply.visitTypeInsn(Opcodes.CHECKCAST, supplier);
        apply.visitMethodInsn(
                Opcodes.INVOKEINTERFACE, supplier, "get", "()Ljava/lang/Object;", true);
        apply.visitInsn(Opcodes.ARETURN);
        apply.visitMaxs(0, 0);
        return type.toByteArray();
    }

    /** Code of a library's, and of the application's: in a module that is not the agent's. */
    static final class Library implements Function<Supplier<Object>, Object> {
        @Override
        public synchronized Object apply(Supplier<Object> called) {
            return called.get();
        }
    }

    static final class Application implements Function<Supplier<Object>, Object> {
        @Override
        public Object apply(Supplier<Object> called) {
            return called.get();
        }
    }

    /** The same code, of another class loader. */
    @SuppressWarnings("unchecked")
    private static UnaryOperator<Supplier<PinnedStack>> foreign(Class<?> type) throws Exception {
        byte[] file;
        try (InputStream in =
                type.getResourceAsStream(
                        type.getName().substring(type.getPackageName().length() + 1) + ".class")) {
            file = Objects.requireNonNull(in).readAllBytes();
        }
        ClassLoader other =
                new ClassLoader(null) {
                    @Override
                    protected Class<?> findClass(String name) {
                        return defineClass(name, file, 0, file.length);
                    }
                };
        Constructor<?> constructor = other.loadClass(type.getName()).getDeclaredConstructor();
        constructor.setAccessible(true);
        var code = (Function<Supplier<?>, Object>) constructor.newInstance();
        return called -> () -> (PinnedStack) code.apply(called);
    }

    private static PinnedStack insideComputeIfAbsent(Supplier<PinnedStack> walk) {
        PinnedStack stack =
                new ConcurrentHashMap<String, PinnedStack>()
                        .computeIfAbsent("key", key -> walk.get());
        assertThat(stack).isNotNull();
        return stack;
    }

    /** Walks the stack of the thread that asks it for a class. */
    private static final class WalkingLoader extends ClassLoader {
        private Supplier<PinnedStack> walk = WALKER::heldByCall;
        private PinnedStack found = WALKER.heldByCall();

        PinnedStack found(Supplier<PinnedStack> walk) throws ClassNotFoundException {
            this.walk = walk;
            loadClass("shop.Cart");
            return found;
        }

        @Override
        protected Class<?> findClass(String name) {
            found = walk.get();
            return Object.class;
        }
    }

    private static final class Cause implements Runnable {
        private PinnedStack.Cause found = PinnedStack.Cause.CLASS_INIT;

        @Override
        public void run() {
            found = NativeFrames.onCurrentThread();
        }
    }

    private static final class Initializer {
        static final PinnedStack.Cause CAUSE = NativeFrames.onCurrentThread();
    }
}
