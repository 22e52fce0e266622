package io.vtagent.vm;

import java.lang.reflect.Method;
import java.util.List;

/** The platform threads of this JVM. */
public final class PlatformThreads {
    private PlatformThreads() {}

    /** Those that are alive; none if they cannot be told. Stops no thread, unlike {@link Thread#getAllStackTraces}. */
    public static List<Thread> alive() {
        try {
            Method all = Thread.class.getDeclaredMethod("getAllThreads");
            all.setAccessible(true);
            return List.of((Thread[]) all.invoke(null));
        } catch (ReflectiveOperationException | RuntimeException missing) {
            return List.of();
        }
    }
}
