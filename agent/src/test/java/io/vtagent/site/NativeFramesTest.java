package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class NativeFramesTest {
    private static final class Initializer {
        static final PinnedStack.Cause CAUSE = NativeFrames.onCurrentThread();
    }

    private static final class LaterInitializer {
        static final PinnedStack.Cause CAUSE = NativeFrames.onCurrentThread();
    }

    @Test
    void aPlatformThreadIsAskedAnewEachTime() throws InterruptedException {
        List<PinnedStack.Cause> causes = new ArrayList<>();
        Thread.ofPlatform()
                .start(
                        () -> {
                            causes.add(NativeFrames.onCurrentThread());
                            causes.add(Initializer.CAUSE);
                        })
                .join();

        assertThat(causes).containsExactly(PinnedStack.Cause.NONE, PinnedStack.Cause.CLASS_INIT);
    }

    @Test
    void theCauseOfARememberedStackIsTheOneThatWasFound() throws InterruptedException {
        List<PinnedStack.Cause> causes = new ArrayList<>();
        Thread.ofVirtual()
                .start(
                        () -> {
                            StackFingerprint.prove();
                            for (int i = 0; i < 2; i++) {
                                causes.add(NativeFrames.onCurrentThread());
                            }
                            causes.add(LaterInitializer.CAUSE);
                        })
                .join();

        assertThat(causes)
                .containsExactly(
                        PinnedStack.Cause.NONE,
                        PinnedStack.Cause.NONE,
                        PinnedStack.Cause.CLASS_INIT);
    }

    /** {@code Class.forName} calls the class loader from native code. */
    @Test
    void nativeCodeThatCalledBackIsACause() throws InterruptedException {
        List<PinnedStack.Cause> causes = new ArrayList<>();
        ClassLoader loader =
                new ClassLoader() {
                    @Override
                    protected Class<?> findClass(String name) throws ClassNotFoundException {
                        causes.add(NativeFrames.onCurrentThread());
                        throw new ClassNotFoundException(name);
                    }
                };
        Thread.ofPlatform()
                .start(
                        () -> {
                            assertThatThrownBy(() -> loader.loadClass("shop.Cart"));
                            assertThatThrownBy(() -> Class.forName("shop.Cart", false, loader));
                        })
                .join();

        assertThat(causes).containsExactly(PinnedStack.Cause.NONE, PinnedStack.Cause.NATIVE);
    }
}
