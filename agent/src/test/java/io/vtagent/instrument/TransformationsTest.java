package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import java.lang.instrument.ClassFileTransformer;
import java.lang.invoke.MethodHandles.Lookup;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.TimeUnit;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/**
 * Classes that the agent's transformers receive: those that are loaded already, and again those
 * that are to be restored.
 */
class TransformationsTest {
    private static final int MANY = 1_000;
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final FakeJvm jvm = new FakeJvm();
    private final Transformations transformations = new Transformations(jvm.instrumentation());
    private final ClassTally classes = new ClassTally();
    private final MonitorTransformer monitors =
            new MonitorTransformer(List.of(), List.of(), classes, false);

    @Test
    void theClassesOfTheJdkThatHaveHooksAreTransformedAtOnce() {
        JdkHook wait = hook("java/lang/Object", "wait", "(J)V");
        JdkHook missing = hook("java/lang/NoSuchClass", "run", "()V");
        JdkTransformer transformer = transformations.hook(List.of(wait, missing));

        assertThat(jvm.transformers).containsExactly(transformer);
        assertThat(jvm.transformed()).containsExactly(Object.class);
        assertThat(transformer.isPlaced(wait)).isTrue();
        assertThat(transformer.isPlaced(missing)).isFalse();
    }

    @Test
    void carriersReportThatAThreadHasLeftThemWhereTheJdkHasAPlaceForThat()
            throws ClassNotFoundException {
        transformations.hook(List.of(hook("java/lang/Object", "wait", "(J)V")));
        assertThat(transformations.reportUnmounts()).isTrue();
        assertThat(jvm.transformers).hasSize(2);
        assertThat(jvm.transformed()).contains(Class.forName("java.lang.VirtualThread"));

        jvm.retransformed.clear();
        assertThat(transformations.reportUnmounts()).isTrue();
        assertThat(jvm.transformers).as("they tell once").hasSize(2);
        assertThat(jvm.retransformed).isEmpty();

        FakeJvm another = new FakeJvm();
        another.refused.add(Class.forName("java.lang.VirtualThread"));
        assertThat(new Transformations(another.instrumentation()).reportUnmounts()).isFalse();
    }

    @Test
    void whereTheApplicationRunsItsClassesAreWrapped() throws ReflectiveOperationException {
        Class<?> type = define(AssembledClass.NAME, Opcodes.ACC_PUBLIC);
        Class<?> array = type.arrayType();
        Class<?> annotation =
                define(
                        "Annotating",
                        Opcodes.ACC_PUBLIC
                                | Opcodes.ACC_INTERFACE
                                | Opcodes.ACC_ABSTRACT
                                | Opcodes.ACC_ANNOTATION);
        Class<?> hidden = hidden();
        jvm.unmodifiable.add(array);
        jvm.loaded =
                () ->
                        List.of(
                                String.class,
                                type,
                                array,
                                annotation,
                                hidden,
                                TransformationsTest.class);
        transformations.wrap(monitors, () -> true);

        assertThat(jvm.transformers).containsExactly(monitors);
        assertThat(jvm.transformed())
                .as("none of the JDK nor of the agent's loader, and none that cannot be changed")
                .containsExactly(type);
    }

    @Test
    void whereItDoesNotRunYetClassesAreNotSearched() {
        jvm.loaded = () -> List.of(define(AssembledClass.NAME, Opcodes.ACC_PUBLIC));
        transformations.wrap(monitors, () -> false);

        assertThat(jvm.transformers).containsExactly(monitors);
        assertThat(jvm.timesAsked).isZero();
        assertThat(jvm.retransformed).isEmpty();
    }

    @Test
    void whetherItRunsIsAskedWhenNoClassIsMissedAnyMore() {
        List<ClassFileTransformer> registered = new ArrayList<>();
        transformations.wrap(monitors, () -> registered.addAll(jvm.transformers));

        assertThat(registered).containsExactly(monitors);
    }

    @Test
    void theJvmIsNotStoppedForNothing() {
        transformations.wrap(monitors, () -> true);
        assertThat(jvm.retransformed).isEmpty();
    }

    @Test
    void manyClassesAreTransformedSomeAtATime() {
        Class<?> type = define(AssembledClass.NAME, Opcodes.ACC_PUBLIC);
        jvm.loaded = () -> Collections.nCopies(MANY, type);
        transformations.wrap(monitors, () -> true);

        assertThat(jvm.transformed()).hasSize(MANY);
        assertThat(jvm.retransformed).hasSizeBetween(2, MANY / 10).noneMatch(List::isEmpty);
    }

    @Test
    void aClassThatRefusesLeavesTheOthersToBeTransformed() {
        List<Class<?>> types = new ArrayList<>();
        for (int i = 0; i < 7; i++) {
            types.add(define(AssembledClass.NAME + i, Opcodes.ACC_PUBLIC));
        }
        Class<?> refused = types.get(3);
        jvm.refused.add(refused);
        jvm.loaded = () -> types;
        transformations.wrap(monitors, () -> true);

        types.remove(refused);
        assertThat(jvm.transformed()).containsExactlyElementsOf(types);
        assertThat(jvm.retransformed).as("at last alone").containsOnlyOnce(List.of(refused));
    }

    @Test
    void theHooksAreTakenBack() {
        transformations.hook(List.of(hook("java/lang/Object", "wait", "(J)V")));
        jvm.retransformed.clear();

        assertThat(transformations.takeBack()).isZero();
        assertThat(jvm.transformers).isEmpty();
        assertThat(jvm.transformed()).containsExactly(Object.class);
        assertThat(transformations.takeBack()).isZero();
        assertThat(jvm.transformed()).as("once").containsExactly(Object.class);
    }

    @Test
    void whatIsWrappedIsTakenBackAlsoIfItIsNotAmongTheLoadedClassesYet() {
        transformations.wrap(monitors, () -> false);
        Class<?> type = wrapped(0);
        Class<?> late = wrapped(0);
        Class<?> another = define(AssembledClass.NAME, Opcodes.ACC_PUBLIC);
        long beganNanos = System.nanoTime();
        jvm.loaded =
                () ->
                        System.nanoTime() - beganNanos < SHORT_NANOS
                                ? List.of(type, another)
                                : List.of(type, another, late);

        assertThat(transformations.takeBack()).isZero();
        assertThat(jvm.transformers).isEmpty();
        assertThat(jvm.transformed()).containsExactly(type, late);
    }

    @Test
    void whileThereAreClassesThatHaveLostModifiersTheirTransformerStays() {
        transformations.wrap(monitors, () -> false);
        List<Class<?>> types =
                List.of(
                        wrapped(Opcodes.ACC_SYNCHRONIZED),
                        wrapped(0),
                        wrapped(Opcodes.ACC_SYNCHRONIZED));
        jvm.loaded = () -> types;

        assertThat(transformations.takeBack()).isEqualTo(2);
        assertThat(jvm.transformers).containsExactly(monitors);
        assertThat(jvm.transformed()).containsExactly(types.get(1));
        assertThat(
                        monitors.transform(
                                new AssembledClass.Loader(),
                                AssembledClass.NAME,
                                null,
                                null,
                                withBlock(0)))
                .as("nothing new is wrapped")
                .isNull();
    }

    private static JdkHook hook(String owner, String method, String descriptor) {
        return new JdkHook(
                List.of(),
                owner,
                method,
                List.of(descriptor),
                Weave.around("waitBegan", "waitEnded"));
    }

    /** A class of a loader of its own. */
    private static Class<?> define(String name, int access) {
        return new Own().define(classFile(name, access));
    }

    private static byte[] classFile(String name, int access) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, access, name, null, "java/lang/Object", null);
        return writer.toByteArray();
    }

    private static final class Own extends ClassLoader {
        Class<?> define(byte[] classFile) {
            return defineClass(null, classFile, 0, classFile.length);
        }
    }

    private static Class<?> hidden() throws ReflectiveOperationException {
        Class<?> beside =
                new Own()
                        .define(
                                AssembledClass.classFile(
                                        Opcodes.V21, 0, List.of(), TransformationsTest::lookup));
        return ((Lookup) beside.getMethod("lookup").invoke(null))
                .defineHiddenClass(classFile("Hidden", Opcodes.ACC_PUBLIC), false)
                .lookupClass();
    }

    /** A method that gives the right to define hidden classes in the loader of its own. */
    private static void lookup(ClassWriter writer) {
        String type = "()Ljava/lang/invoke/MethodHandles$Lookup;";
        AssembledClass.method(
                writer,
                Opcodes.ACC_PUBLIC | Opcodes.ACC_STATIC,
                "lookup",
                type,
                code -> {
                    code.visitMethodInsn(
                            Opcodes.INVOKESTATIC,
                            "java/lang/invoke/MethodHandles",
                            "lookup",
                            type,
                            false);
                    code.visitInsn(Opcodes.ARETURN);
                });
    }

    /** A class whose load the transformer has seen. */
    private Class<?> wrapped(int access) {
        byte[] classFile = withBlock(access);
        Own loader = new Own();
        assertThat(monitors.transform(loader, AssembledClass.NAME, null, null, classFile))
                .isNotNull();
        return loader.define(classFile);
    }

    private static byte[] withBlock(int access) {
        return AssembledClass.classFile(
                Opcodes.V21,
                0,
                List.of(),
                writer ->
                        AssembledClass.method(
                                writer,
                                access,
                                "run",
                                "()V",
                                code -> {
                                    AssembledClass.block(code);
                                    code.visitInsn(Opcodes.RETURN);
                                }));
    }
}
