package io.vtagent.demo.nativeframes;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Method;
import java.util.List;

/**
 * Causes that hold a carrier on every JDK: a thread cannot unmount while native code is on its
 * stack that has called back into Java, nor while it runs a class initializer, which the JVM has
 * called. Beside them is a monitor, which holds a carrier up to JDK 23.
 */
public final class NativeDemo implements DemoCase {

    private static final String NATIVE_FRAME = "native-frame";
    private static final String CLASS_INITIALIZER = "class-initializer";
    private static final String MONITOR = "monitor";
    private static final String NOTHING = "nothing";

    @Override
    public String name() {
        return "native";
    }

    @Override
    public String shows() {
        return "A sleep below a native frame, in a class initializer, in a monitor, and in nothing:"
                + " which of them hold a carrier on which JDK.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "A virtual thread is pinned when it runs an external function."),
                Claim.of(
                        Article.PINNING,
                        "Native code that blocks cannot be unmounted: increase the carrier pool."));
    }

    @Override
    public String comparison() {
        return "Native code that calls back into Java pins, on JDK 21 and on 25: the function here"
                + " sleeps in Java. What the articles do not say: a class initializer pins as"
                + " well, and neither is helped by JDK 24 and later, which end the pinning of"
                + " monitors (JEP 491). A native function that does not call back is not pinned"
                + " in the JVM's terms, and there is no event for it, but its carrier is held"
                + " all the same while it blocks; file-io has one.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                // Otherwise reflection is no native code: since JDK 18 (JEP 416) it goes through
                // method handles.
                Variant.of(NATIVE_FRAME, "sleeps in a method that native code has called")
                        .onJvm("-Djdk.reflect.useNativeAccessorOnly=true"),
                Variant.of(CLASS_INITIALIZER, "sleeps in a class initializer"),
                Variant.of(MONITOR, "sleeps in a monitor of its own"),
                Variant.of(NOTHING, "just sleeps"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(400, 10);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Sleep.millis = settings.latencyMillis();
        Load.Task task = task(variant, settings.tasks());
        Load.warmUp(number -> Thread.sleep(0));
        return Result.ofTasks(settings.tasks(), Load.run(settings.tasks(), settings.tasks(), task));
    }

    private static Load.Task task(String variant, int tasks) throws Exception {
        return switch (variant) {
            case NATIVE_FRAME -> {
                Method sleep = Sleep.class.getDeclaredMethod("sleep");
                sleep.invoke(null);
                yield number -> sleep.invoke(null);
            }
            case CLASS_INITIALIZER -> {
                // A class is initialized once; so every task gets one of its own, loaded
                // beforehand.
                Class<?>[] classes = new Class<?>[tasks];
                byte[] bytes = bytesOf(SleepsWhenInitialized.class);
                for (int i = 0; i < tasks; i++) {
                    classes[i] = new Definer(bytes).defined;
                }
                yield number ->
                        Class.forName(
                                classes[number].getName(), true, classes[number].getClassLoader());
            }
            case MONITOR -> {
                Object[] monitors = new Object[tasks];
                for (int i = 0; i < tasks; i++) {
                    monitors[i] = new Object();
                }
                yield number -> {
                    synchronized (monitors[number]) {
                        Sleep.sleep(); // in a monitor
                    }
                };
            }
            default -> number -> Sleep.sleep();
        };
    }

    /** The work of all threads. */
    public static final class Sleep {

        private static int millis;

        private Sleep() {}

        public static void sleep() throws InterruptedException {
            Thread.sleep(millis);
        }
    }

    private static final class SleepsWhenInitialized {
        static {
            try {
                Sleep.sleep(); // in a class initializer
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private static byte[] bytesOf(Class<?> type) throws IOException {
        try (InputStream bytes =
                type.getResourceAsStream(type.getName().replaceFirst(".*\\.", "") + ".class")) {
            if (bytes == null) {
                throw new IOException("no class file of " + type);
            }
            return bytes.readAllBytes();
        }
    }

    /** Its class has the same name as the others', but is another. */
    private static final class Definer extends ClassLoader {

        private final Class<?> defined;

        Definer(byte[] bytes) {
            super(NativeDemo.class.getClassLoader());
            defined = defineClass(SleepsWhenInitialized.class.getName(), bytes, 0, bytes.length);
        }
    }
}
