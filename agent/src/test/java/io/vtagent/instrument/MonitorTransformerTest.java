package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The record of a class that was transformed, and its further transformations. */
class MonitorTransformerTest {

    /**
     * Class files of a class whose method loses its modifier, of one where only a block is timed,
     * and of one without monitors.
     */
    private static final byte[] CHANGED = classFile(Opcodes.ACC_SYNCHRONIZED, code -> {});

    private static final byte[] WRAPPED = classFile(0, AssembledClass::block);
    private static final byte[] PLAIN = classFile(0, code -> {});
    private static final byte[] BROKEN = {1, 2, 3};

    private final ClassTally classes = new ClassTally();
    private final MonitorTransformer transformer =
            new MonitorTransformer(List.of(), List.of(), classes, false);
    private final ClassLoader loader = new AssembledClass.Loader();

    @Test
    void itKnowsWhatBecameOfAClass() {
        load(CHANGED);
        assertThat(transformer.hasChanged(loader, AssembledClass.NAME)).isTrue();
        assertThat(transformer.hasWrapped(loader, AssembledClass.NAME)).isFalse();

        load(WRAPPED);
        assertThat(transformer.hasChanged(loader, AssembledClass.NAME)).isFalse();
        assertThat(transformer.hasWrapped(loader, AssembledClass.NAME)).isTrue();

        load(PLAIN);
        assertThat(transformer.hasChanged(loader, AssembledClass.NAME)).isFalse();
        assertThat(transformer.hasWrapped(loader, AssembledClass.NAME)).isFalse();
    }

    @Test
    void whatWasAttemptedBeforeIsForgottenIfAClassIsLoadedAnew() {
        load(CHANGED);
        assertThat(load(PLAIN)).isNull();
        assertThat(classes.wrapped.contains(AssembledClass.NAME)).isFalse();

        load(CHANGED);
        assertThat(load(BROKEN)).isNull();
        assertThat(classes.wrapped.contains(AssembledClass.NAME)).isFalse();
        assertThat(classes.failed).hasValue(1);
    }

    @Test
    void aNewVersionThatFailsChangesNothingOfWhatIsKnown() {
        load(CHANGED);
        assertThat(redefine(BROKEN)).isNull();

        assertThat(classes.failed).hasValue(1);
        assertThat(transformer.hasChanged(loader, AssembledClass.NAME)).isTrue();
    }

    @Test
    void whenItWrapsNoMoreOnlyAClassThatHasChangedStaysSo() {
        load(CHANGED);
        transformer.wrapNoMore();

        assertThat(redefine(CHANGED)).isNotNull();
        assertThat(transform(new AssembledClass.Loader(), null, CHANGED)).isNull();
    }

    @Test
    void whenItWrapsNoMoreBlocksAreTakenBack() {
        load(WRAPPED);
        assertThat(redefine(WRAPPED)).isNotNull();
        transformer.wrapNoMore();

        assertThat(redefine(WRAPPED)).isNull();
    }

    @Test
    void whereModifiersAreKeptBlocksAreWrappedAlone() {
        MonitorTransformer keeping = new MonitorTransformer(List.of(), List.of(), classes, true);

        assertThat(keeping.transform(loader, AssembledClass.NAME, null, null, CHANGED)).isNull();
        assertThat(keeping.transform(loader, AssembledClass.NAME, null, null, WRAPPED)).isNotNull();
        assertThat(keeping.hasWrapped(loader, AssembledClass.NAME)).isTrue();
    }

    @Test
    void itKnowsHowManyClassesItHasWrapped() {
        assertThat(transformer.mayLoadMoreThan(0)).isFalse();
        load(PLAIN);
        load(CHANGED);
        assertThat(transformer.mayLoadMoreThan(0)).isFalse();
        load(WRAPPED);
        assertThat(transformer.mayLoadMoreThan(0)).isTrue();
        assertThat(transformer.mayLoadMoreThan(1)).isFalse();
    }

    private byte @Nullable [] load(byte[] classFile) {
        return transform(loader, null, classFile);
    }

    private byte @Nullable [] redefine(byte[] classFile) {
        return transform(loader, Runnable.class, classFile);
    }

    private byte @Nullable [] transform(
            ClassLoader by, @Nullable Class<?> redefined, byte[] classFile) {
        return transformer.transform(by, AssembledClass.NAME, redefined, null, classFile);
    }

    private static byte[] classFile(int access, Consumer<MethodVisitor> begins) {
        return AssembledClass.classFile(
                Opcodes.V21, 0, List.of(), writer -> run(writer, access, begins));
    }

    private static void run(ClassWriter writer, int access, Consumer<MethodVisitor> begins) {
        AssembledClass.method(
                writer,
                access,
                "run",
                "()V",
                begins.andThen(code -> code.visitInsn(Opcodes.RETURN)));
    }
}
