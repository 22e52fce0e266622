package io.vtagent.it.reference;

import java.lang.reflect.Method;

/**
 * A sleep in a method that native code has called: the JVM's reflection, given {@code
 * -Djdk.reflect.useNativeAccessorOnly=true}.
 */
final class NativeFrame implements Workload {
    private static final long MILLIS = 10;

    private final Method sleep;

    NativeFrame() throws NoSuchMethodException {
        sleep = NativeFrame.class.getDeclaredMethod("sleep");
    }

    @Override
    public void hold(int thread, int round) throws ReflectiveOperationException {
        sleep.invoke(null);
    }

    static void sleep() throws InterruptedException {
        Thread.sleep(MILLIS);
    }
}
