package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.ref.WeakReference;
import java.util.List;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

/**
 * The application's Micrometer is found when one of its class loaders has it, wherever that is, and
 * no loader is asked for ever.
 */
class MicrometerFinderTest {
    private static final int VERY_OFTEN = 1_000;
    private static final byte[] NO_MATTER = {};

    private final FakeJvm jvm = new FakeJvm();
    private final MicrometerFinder atStart = new MicrometerFinder(jvm.instrumentation(), false);

    @Test
    void whatWasLoadedBeforeTheAgentCameIsFoundOnce() {
        Class<?> one = metrics(new OneClass());
        Class<?> other = metrics(new OneClass());
        jvm.loaded = () -> List.of(String.class, one, MicrometerFinderTest.class, other);
        MicrometerFinder running = new MicrometerFinder(jvm.instrumentation(), true);

        assertThat(running.find(List.of())).containsExactly(one, other);
        assertThat(running.find(List.of())).isEmpty();
    }

    @Test
    void whereMemoryDidNotSufficeForASampleAnotherOneFollows() {
        Class<?> one = metrics(new OneClass());
        MicrometerFinder running = new MicrometerFinder(jvm.instrumentation(), true);
        jvm.loaded =
                () -> {
                    throw new OutOfMemoryError("a test's");
                };
        assertThatThrownBy(() -> running.find(List.of())).isInstanceOf(OutOfMemoryError.class);

        jvm.loaded = () -> List.of(one);
        assertThat(running.find(List.of())).containsExactly(one);
    }

    @Test
    void theAgentsOwnIsNotTheApplications() throws ClassNotFoundException {
        Class<?> own = Class.forName(JdkTransformer.MICROMETER.replace('/', '.'));
        jvm.loaded = () -> List.of(own);

        assertThat(new MicrometerFinder(jvm.instrumentation(), true).find(List.of())).isEmpty();
    }

    @Test
    void whereTheAgentCameFirstOnlyThoseAreAskedThatBeganToLoadIt() {
        jvm.loaded = () -> List.of(metrics(new OneClass()));
        OneClass loader = new OneClass();
        Class<?> type = metrics(loader);
        jvm.initiated.put(loader, List.of(Object.class, type));

        assertThat(atStart.find(List.of())).isEmpty();
        assertThat(jvm.timesAsked).isZero();
        assertThat(atStart.find(List.of(new WeakReference<>(loader)))).containsExactly(type);
    }

    @Test
    void aLoaderThatHasNotFinishedIsAskedAgainUntilItHas() {
        OneClass loader = new OneClass();
        assertThat(atStart.find(List.of(new WeakReference<>(loader)))).isEmpty();
        Class<?> type = metrics(loader);
        jvm.initiated.put(loader, List.of(type));

        assertThat(atStart.find(List.of())).containsExactly(type);
        assertThat(atStart.find(List.of())).isEmpty();
        assertThat(jvm.timesAsked).isEqualTo(2);
    }

    @Test
    void aLoaderThatNeverFinishesIsGivenUp() {
        OneClass loader = new OneClass();
        for (int i = 0; i < VERY_OFTEN; i++) {
            assertThat(atStart.find(i == 0 ? List.of(new WeakReference<>(loader)) : List.of()))
                    .isEmpty();
        }
        assertThat(jvm.timesAsked).isBetween(2, VERY_OFTEN / 2);
    }

    @Test
    void aLoaderThatHasItFromAnotherIsNotTheOneThatHasIt() {
        OneClass parent = new OneClass();
        OneClass child = new OneClass();
        jvm.initiated.put(child, List.of(metrics(parent)));

        assertThat(atStart.find(List.of(new WeakReference<>(child)))).isEmpty();
    }

    @Test
    void aLoaderThatIsCollectedMeanwhileIsNotAsked() {
        WeakReference<ClassLoader> collected = new WeakReference<>(new OneClass());
        collected.clear();

        assertThat(atStart.find(List.of(collected))).isEmpty();
        assertThat(jvm.timesAsked).isZero();
    }

    @Test
    void aLoaderThatBeginsToLoadItIsNotedUntilTheNextRequest() {
        JdkTransformer transformer = new JdkTransformer(List.of());
        OneClass one = new OneClass();
        OneClass other = new OneClass();
        assertThat(transformer.takeMicrometerLoaders()).isEmpty();

        transformer.transform(one, JdkTransformer.MICROMETER, null, null, NO_MATTER);
        transformer.transform(other, JdkTransformer.MICROMETER, null, null, NO_MATTER);
        assertThat(transformer.takeMicrometerLoaders())
                .extracting(WeakReference::get)
                .containsExactly(one, other);
        assertThat(transformer.takeMicrometerLoaders()).isEmpty();
    }

    @Test
    void nobodyElseIsNoted() {
        JdkTransformer transformer = new JdkTransformer(List.of());
        OneClass loader = new OneClass();
        transformer.transform(loader, JdkTransformer.MICROMETER + "$1", null, null, NO_MATTER);
        transformer.transform(loader, null, null, null, NO_MATTER);
        transformer.transform(loader, JdkTransformer.MICROMETER, Object.class, null, NO_MATTER);
        transformer.transform(null, JdkTransformer.MICROMETER, null, null, NO_MATTER);

        assertThat(transformer.takeMicrometerLoaders()).isEmpty();
    }

    /** A loader of the application. */
    private static final class OneClass extends ClassLoader {
        Class<?> define(byte[] classFile) {
            return defineClass(null, classFile, 0, classFile.length);
        }
    }

    private static Class<?> metrics(OneClass loader) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V21,
                Opcodes.ACC_PUBLIC,
                JdkTransformer.MICROMETER,
                null,
                "java/lang/Object",
                null);
        return loader.define(writer.toByteArray());
    }
}
