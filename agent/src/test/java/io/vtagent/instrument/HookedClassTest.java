package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.site.Redefinitions;
import io.vtagent.site.Snapshot;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import jdk.jfr.Event;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/**
 * Hooks in a class that stands for one of the JDK's: it is transformed, verified, and run on a
 * virtual thread.
 */
class HookedClassTest {
    private static final String OWNER = "io/vtagent/instrument/HookedClassTest$Hooked";

    private final List<String> reported = new ArrayList<>();

    /** A class with hooks, loaded by a loader of its own. */
    @SuppressWarnings("unused")
    public static class Hooked {
        public static int around(int value) {
            if (value < 0) {
                throw new IllegalArgumentException("negative");
            }
            return value == 0 ? 100 : value * 2;
        }

        public static String caught(String value) {
            try {
                throw new IllegalStateException(value);
            } catch (IllegalStateException expected) {
                return "caught " + value;
            }
        }

        public String entered(Enum<?> first, long second) {
            return first + " " + second;
        }

        public static long end(long attempt) {
            return attempt + 1;
        }

        public boolean endOf(boolean attempted) {
            return !attempted;
        }

        public static long longResult(long value) {
            return value > 5 ? value : 7;
        }

        public static void left() {}

        public static int untouched(int value) {
            return value;
        }
    }

    private static final class Started extends Event {}

    /** A thread may still run the old version, which the JVM may free while its stack is read. */
    @Test
    void noStackIsReadWhileAClassOfTheApplicationIsRedefined() {
        JdkTransformer transformer = new JdkTransformer(List.of());
        Thread current = Thread.currentThread();
        Redefinitions.forget();
        transformer.transform(null, "java/lang/Thread", Thread.class, null, new byte[0]);
        transformer.transform(
                Hooked.class.getClassLoader(), "Started", Started.class, null, new byte[0]);
        assertThat(CompletableFuture.supplyAsync(() -> Snapshot.of(current)).join().frames())
                .isNotEmpty();

        transformer.transform(
                Hooked.class.getClassLoader(), OWNER, Hooked.class, null, new byte[0]);
        assertThat(CompletableFuture.supplyAsync(() -> Snapshot.of(current)).join().frames())
                .isEmpty();
    }

    private final class RecordingProbe extends VtAgentProbe {
        @Override
        public void onYieldFailed(String reason) {
            reported.add("yieldFailed " + reason);
        }

        @Override
        public Object onWaitBegan() {
            reported.add("began");
            return "what began";
        }

        @Override
        public void onWaitEnded(@Nullable Object begun, @Nullable Throwable thrown) {
            assertThat(begun).isEqualTo("what began");
            reported.add("ended " + thrown);
        }

        @Override
        public void onIoEnded() {
            reported.add("ioEnded");
        }

        @Override
        public void onCompensationTried(boolean compensated) {
            reported.add("compensated " + compensated);
        }

        @Override
        public void onCarrierMade() {
            reported.add("made");
        }

        @Override
        public void onUnmounted() {
            reported.add("left");
        }
    }

    @BeforeEach
    void listen() {
        VtAgentProbe.report(new RecordingProbe());
    }

    @AfterEach
    void listenNoMore() {
        Redefinitions.forget();
        VtAgentProbe.report(null);
    }

    @Test
    void aroundAMethodItsBeginAndItsEndAreReportedOnEveryExit() {
        JdkHook hook = hook("around", "(I)I", Weave.around("waitBegan", "waitEnded"));
        assertThat(call(hook, 0)).isEqualTo(100);
        assertThat(call(hook, 4)).isEqualTo(8);
        assertThat(reported).containsExactly("began", "ended null", "began", "ended null");
        reported.clear();
        assertThatThrownBy(() -> call(hook, -1)).hasMessage("negative");
        assertThat(reported)
                .containsExactly("began", "ended java.lang.IllegalArgumentException: negative");
    }

    @Test
    void aroundAMethodThatReturnsTwoWordsOrNothingToo() {
        Weave around = Weave.around("waitBegan", "waitEnded");
        assertThat(call(hook("longResult", "(J)J", around), 9L)).isEqualTo(9L);
        assertThat(call(hook("left", "()V", around))).isNull();
        assertThat(reported).containsExactly("began", "ended null", "began", "ended null");
    }

    @Test
    void whatAMethodCatchesItselfIsNotReported() {
        JdkHook hook =
                hook(
                        "caught",
                        "(Ljava/lang/String;)Ljava/lang/String;",
                        Weave.around("waitBegan", "waitEnded"));
        assertThat(call(hook, "it")).isEqualTo("caught it");
        assertThat(reported).containsExactly("began", "ended null");
    }

    @Test
    void onEntryTheFirstArgumentIsReported() {
        JdkHook hook =
                hook(
                        "entered",
                        "(Ljava/lang/Enum;J)Ljava/lang/String;",
                        Weave.onEntry("yieldFailed", "Ljava/lang/Enum;"));
        assertThat(call(hook, Thread.State.BLOCKED, 5L)).isEqualTo("BLOCKED 5");
        assertThat(reported).containsExactly("yieldFailed BLOCKED");
    }

    @Test
    void anArgumentOfTwoWordsOrOfAnInstanceMethodIsReportedToo() {
        assertThat(call(hook("end", "(J)J", Weave.onEntry("ioEnded", "")), 4L)).isEqualTo(5L);
        assertThat(call(hook("endOf", "(Z)Z", Weave.onEntry("ioEnded", "")), true))
                .isEqualTo(false);
        assertThat(reported).containsExactly("ioEnded", "ioEnded");
        assertThat(call(hook("end", "(J)J", Weave.onEntry("ioEnded", "")), -4L)).isEqualTo(-3L);
        assertThat(reported).as("the attempt did nothing").hasSize(2);
    }

    @Test
    void onReturnTheResultIsReportedOnEveryExit() {
        JdkHook hook = hook("longResult", "(J)J", Weave.onReturn("compensationTried"));
        assertThat(call(hook, 9L)).isEqualTo(9L);
        assertThat(call(hook, 3L)).isEqualTo(7L);
        assertThat(call(hook("left", "()V", Weave.onReturn("unmounted")))).isNull();
        assertThat(call(hook("left", "()V", Weave.onReturn("carrierMade")))).isNull();
        assertThat(reported)
                .containsExactly("compensated true", "compensated true", "left", "made");
    }

    @Test
    void aHookIsPlacedOnceItsMethodWasFoundAndOthersStayAsTheyWere() throws IOException {
        JdkHook hook = hook("end", "(J)J", Weave.onEntry("ioEnded", ""));
        JdkHook missing = hook("end", "(I)I", Weave.onEntry("ioEnded", ""));
        JdkTransformer transformer = new JdkTransformer(List.of(hook, missing));
        assertThat(transformer.owners()).containsExactly(OWNER);
        assertThat(transformer.isPlaced(hook)).isFalse();

        assertThat(transformer.transform(null, OWNER, null, null, classFile())).isNotNull();
        assertThat(transformer.isPlaced(hook)).isTrue();
        assertThat(transformer.isPlaced(missing)).isFalse();
        assertThat(new Loader(hook).call("untouched", 3)).isEqualTo(3);
        assertThat(reported).isEmpty();
    }

    @Test
    void onlyTheClassesOfTheJdkThatHaveHooksAreTransformed() throws IOException {
        JdkTransformer transformer =
                new JdkTransformer(List.of(hook("end", "(J)J", Weave.onEntry("ioEnded", ""))));
        ClassLoader application = HookedClassTest.class.getClassLoader();
        assertThat(transformer.transform(application, OWNER, null, null, classFile())).isNull();
        assertThat(transformer.transform(null, "java/lang/Other", null, null, classFile()))
                .isNull();
        assertThat(transformer.transform(null, null, null, null, classFile())).isNull();
    }

    @Test
    void aClassFileThatCannotBeReadIsLeftAsItIs() {
        JdkTransformer transformer =
                new JdkTransformer(List.of(hook("end", "(J)J", Weave.onEntry("ioEnded", ""))));
        assertThat(transformer.transform(null, OWNER, null, null, new byte[8])).isNull();
    }

    @Test
    void aHookNamesItsMethod() {
        assertThat(
                        new JdkHook(
                                List.of(),
                                "java/lang/Object",
                                "wait",
                                List.of("(J)V", "(Z)V"),
                                Weave.onReturn("left")))
                .hasToString("java.lang.Object.wait(J)V or (Z)V");
    }

    @Test
    void everyHookIsOfAMethodThatThisJdkHas() throws IOException {
        List<JdkHook> hooks = new ArrayList<>(JdkHook.ofSensors());
        hooks.add(JdkHook.ON_UNMOUNT);
        JdkTransformer transformer = new JdkTransformer(hooks);
        for (String owner : transformer.owners()) {
            try (InputStream in = Object.class.getResourceAsStream("/" + owner + ".class")) {
                assertThat(
                                transformer.transform(
                                        null,
                                        owner,
                                        null,
                                        null,
                                        Objects.requireNonNull(in).readAllBytes()))
                        .as(owner)
                        .isNotNull();
            }
        }
        assertThat(hooks)
                .allMatch(transformer::isPlaced)
                .flatExtracting(JdkHook::neededBy)
                .contains(Sensor.PARK, Sensor.WAIT, Sensor.IO);
    }

    private static JdkHook hook(String method, String descriptor, Weave weave) {
        return new JdkHook(List.of(), OWNER, method, List.of(descriptor), weave);
    }

    private static @Nullable Object call(JdkHook hook, Object... arguments) {
        return new Loader(hook).call(hook.method(), arguments);
    }

    private static byte[] classFile() throws IOException {
        try (InputStream in = HookedClassTest.class.getResourceAsStream("/" + OWNER + ".class")) {
            return Objects.requireNonNull(in).readAllBytes();
        }
    }

    /** Defines {@link Hooked} with a hook. */
    private static final class Loader extends ClassLoader {
        private final Class<?> hooked;

        Loader(JdkHook hook) {
            super(HookedClassTest.class.getClassLoader());
            try {
                byte[] woven =
                        Objects.requireNonNull(
                                new JdkTransformer(List.of(hook))
                                        .transform(null, OWNER, null, null, classFile()));
                hooked = defineClass(OWNER.replace('/', '.'), woven, 0, woven.length);
            } catch (IOException unreadable) {
                throw new AssertionError(unreadable);
            }
        }

        @Nullable Object call(String name, Object... arguments) {
            CompletableFuture<@Nullable Object> result = new CompletableFuture<>();
            Thread.startVirtualThread(
                    () -> {
                        try {
                            for (Method method : hooked.getMethods()) {
                                if (method.getName().equals(name)) {
                                    result.complete(
                                            method.invoke(
                                                    hooked.getConstructor().newInstance(),
                                                    arguments));
                                }
                            }
                        } catch (InvocationTargetException thrown) {
                            result.completeExceptionally(thrown.getCause());
                        } catch (Throwable failure) {
                            result.completeExceptionally(failure);
                        }
                    });
            try {
                return result.join();
            } catch (CompletionException failed) {
                if (failed.getCause() instanceof RuntimeException thrown) {
                    throw thrown;
                }
                throw new AssertionError(failed.getCause());
            }
        }
    }
}
