package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.Field;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.security.ProtectionDomain;
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
import org.jspecify.annotations.Nullable;
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
        assertThat(stack.mark(0))
                .isEqualTo(
                        "  <== monitor: java.lang.Thread,"
                                + " java.util.concurrent.ConcurrentHashMap$ReservationNode;"
                                + " the wait keeps"
                                + " java.util.concurrent.ConcurrentHashMap$ReservationNode");
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
    void onlyTheInnermostFrameEnters() throws Exception {
        PinnedStack stack =
                foreign(Library.class)
                        .apply(foreign(Application.class).apply(() -> WALKER.heldByEntry("")))
                        .get();

        assertThat(stack.mark(0)).isEqualTo("  <== monitor: java.lang.String");
        assertThat(stack.monitors().values())
                .containsExactly(
                        new PinnedStack.Monitors(Library.class.getName(), Library.class.getName()));
    }

    @Test
    void aWaitKeepsAllMonitorsExceptItsOwn() {
        Object kept = "";
        Object waitedIn = new Object();
        Object entered = new Thread();

        assertThat(MonitorStackWalker.monitorsOf(new Object[] {kept, null, waitedIn}, null, null))
                .isEqualTo(new PinnedStack.Monitors("java.lang.Object, ?, java.lang.String", null));
        assertThat(
                        MonitorStackWalker.monitorsOf(
                                new Object[] {kept, null, waitedIn}, waitedIn, null))
                .isEqualTo(
                        new PinnedStack.Monitors(
                                "java.lang.Object, ?, java.lang.String", "java.lang.String"));
        assertThat(MonitorStackWalker.monitorsOf(new Object[] {kept, entered}, null, entered))
                .isEqualTo(new PinnedStack.Monitors("java.lang.String", "java.lang.String"));
    }

    @Test
    void aClassInitializerIsWhatHoldsTheCarrier() throws Exception {
        for (Supplier<PinnedStack> walk :
                List.<Supplier<PinnedStack>>of(
                        WALKER::heldByNativeFrame, WALKER::heldByCriticalSection)) {
            PinnedStack stack = new ForeignLoader(Initializing.class, walk).initialized();

            assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.CLASS_INIT);
            assertThat(stack.holder()).startsWith(Initializing.class.getName() + ".<clinit>:");
            assertThat(stack.holderIndex()).isZero();
        }
    }

    /** {@code Class.forName} calls the class loader from native code. */
    @Test
    void nativeCodeThatCalledBackIsWhatHoldsTheCarrier() throws Exception {
        ForeignLoader loader = new ForeignLoader(Library.class, WALKER::heldByNativeFrame);
        Class<?> unused = Class.forName(Library.class.getName(), false, loader);

        assertThat(loader.found().cause()).isEqualTo(PinnedStack.Cause.NATIVE);
        assertThat(loader.found().holder()).isEqualTo("java.lang.Class.forName0:?");
    }

    @Test
    void codeThatCalledThroughJavaLangForeignIsWhatHoldsTheCarrier() throws Exception {
        UnaryOperator<Supplier<PinnedStack>> upcall =
                passingOn("jdk/internal/foreign/abi/UpcallInTest");
        Supplier<PinnedStack> walk =
                upcall.apply(foreign(Application.class).apply(WALKER::heldByNativeFrame));
        PinnedStack stack = foreign(Library.class).apply(walk).get();

        assertThat(stack.cause()).isEqualTo(PinnedStack.Cause.NATIVE);
        assertThat(stack.holder()).startsWith(Library.class.getName() + ".apply:");
        assertThat(stack.frames()).noneMatch(frame -> frame.contains("UpcallInTest"));
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
    void noMoreFramesAreKeptThanAskedFor() {
        PinnedStack stack =
                insideComputeIfAbsent(
                        new MonitorStackWalker(new FramesOfInterest(1))::heldByMonitor);
        assertThat(stack.frames()).hasSize(1);
        assertThat(stack.holder())
                .startsWith("java.util.concurrent.ConcurrentHashMap.computeIfAbsent:");
        assertThat(stack.holderIndex()).isZero();
    }

    @Test
    void aHolderBeyondTheFramesThatAreKeptIsNamedWithoutAnIndex() throws Exception {
        MonitorStackWalker walker =
                new MonitorStackWalker(
                        new FramesOfInterest(1, List.of(Application.class.getName())));
        PinnedStack stack =
                foreign(Library.class)
                        .apply(foreign(Application.class).apply(walker::heldByMonitor))
                        .get();

        assertThat(stack.holder()).startsWith(Library.class.getName() + ".apply:");
        assertThat(stack.holderIndex()).isEqualTo(-1);
        assertThat(stack.frames()).hasSize(1);
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
        UnaryOperator<Supplier<PinnedStack>> probe = passingOn("java/lang/VtAgentInTest");

        assertThat(probe.apply(() -> insideComputeIfAbsent(WALKER::heldByCall)).get())
                .isSameAs(PinnedStack.AGENTS);
        assertThat(insideComputeIfAbsent(probe.apply(WALKER::heldByCall)).frames().getFirst())
                .as("read by a hook that is in no other")
                .contains("ConcurrentHashMap.computeIfAbsent");
    }

    /** Code of the JDK's, in a class of this name, that only passes a call on. */
    @SuppressWarnings("unchecked")
    private static UnaryOperator<Supplier<PinnedStack>> passingOn(String className)
            throws ReflectiveOperationException {
        byte[] file = passingOnFile(className);
        Class<?> unsafe = Class.forName("jdk.internal.misc.Unsafe");
        Method define =
                unsafe.getMethod(
                        "defineClass",
                        String.class,
                        byte[].class,
                        int.class,
                        int.class,
                        ClassLoader.class,
                        ProtectionDomain.class);
        Object jdk = unsafe.getMethod("getUnsafe").invoke(null);
        Object type = define.invoke(jdk, className, file, 0, file.length, null, null);
        var code =
                (Function<Supplier<?>, Object>)
                        Objects.requireNonNull(
                                unsafe.getMethod("allocateInstance", Class.class)
                                        .invoke(jdk, type));
        return called -> () -> (PinnedStack) code.apply(called);
    }

    private static byte[] passingOnFile(String className) {
        String supplier = "java/util/function/Supplier";
        ClassWriter type = new ClassWriter(ClassWriter.COMPUTE_MAXS);
        String[] interfaces = {"java/util/function/Function"};
        type.visit(Opcodes.V21, Opcodes.ACC_SUPER, className, null, "java/lang/Object", interfaces);
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

    /** A class whose loader has the code of its initializer. */
    static final class Initializing {
        static final Object FOUND = ((Supplier<?>) Initializing.class.getClassLoader()).get();

        private Initializing() {}
    }

    /** The same code, of another class loader. */
    @SuppressWarnings("unchecked")
    private static UnaryOperator<Supplier<PinnedStack>> foreign(Class<?> type) throws Exception {
        Constructor<?> constructor =
                new ForeignLoader(type, WALKER::heldByCall)
                        .loadClass(type.getName())
                        .getDeclaredConstructor();
        constructor.setAccessible(true);
        var code = (Function<Supplier<?>, Object>) constructor.newInstance();
        return called -> () -> (PinnedStack) code.apply(called);
    }

    /** Loads one class, and walks the stack when it is asked for it and when it is initialized. */
    private static final class ForeignLoader extends ClassLoader implements Supplier<PinnedStack> {
        private final Class<?> type;
        private final Supplier<PinnedStack> walk;
        private @Nullable PinnedStack found;

        ForeignLoader(Class<?> type, Supplier<PinnedStack> walk) {
            super(null);
            this.type = type;
            this.walk = walk;
        }

        @Override
        protected Class<?> findClass(String name) {
            found = walk.get();
            String file = name.substring(type.getPackageName().length() + 1) + ".class";
            try (InputStream in = Objects.requireNonNull(type.getResourceAsStream(file))) {
                byte[] bytes = in.readAllBytes();
                return defineClass(name, bytes, 0, bytes.length);
            } catch (IOException failed) {
                throw new UncheckedIOException(failed);
            }
        }

        @Override
        public PinnedStack get() {
            return walk.get();
        }

        PinnedStack found() {
            return Objects.requireNonNull(found);
        }

        PinnedStack initialized() throws ReflectiveOperationException {
            Field field = loadClass(type.getName()).getDeclaredField("FOUND");
            field.setAccessible(true);
            return (PinnedStack) Objects.requireNonNull(field.get(null));
        }
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
}
