package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.lang.ref.WeakReference;
import java.util.List;
import org.junit.jupiter.api.Test;

class NotedLoadersTest {
    private final JdkTransformer transformer = new JdkTransformer(List.of());

    /**
     * With {@code app-registry=off} the loaders are never taken, and a server loads an application
     * again and again.
     */
    @Test
    void thoseThatAreGoneAreNotKept() {
        WeakReference<ClassLoader> gone = loadMicrometer();
        await().until(
                        () -> {
                            System.gc();
                            return gone.refersTo(null);
                        });
        ClassLoader there = load();

        assertThat(transformer.takeMicrometerLoaders())
                .singleElement()
                .satisfies(noted -> assertThat(noted.refersTo(there)).isTrue());
    }

    private WeakReference<ClassLoader> loadMicrometer() {
        return new WeakReference<>(load());
    }

    private ClassLoader load() {
        ClassLoader loader = new ClassLoader() {};
        assertThat(
                        transformer.transform(
                                loader, JdkTransformer.MICROMETER, null, null, new byte[0]))
                .isNull();
        return loader;
    }
}
