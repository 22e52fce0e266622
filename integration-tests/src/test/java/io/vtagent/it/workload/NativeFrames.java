package io.vtagent.it.workload;

import java.lang.reflect.Method;

/**
 * {@code park|await MILLIS}: a virtual thread that blocks in a method which native code has called:
 * the JVM's reflection, given {@code -Djdk.reflect.useNativeAccessorOnly=true}.
 */
public final class NativeFrames {
    private static final Object MONITOR = new Object();
    private static long millis;

    private NativeFrames() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        millis = Long.parseLong(arguments[1]);
        Method method = NativeFrames.class.getDeclaredMethod(arguments[0]);
        method.invoke(null); // warms up, on a thread that has no carrier to hold
        Tasks.run(1, number -> Thread.sleep(1));
        WorkloadConsole.printAndWait("warm");
        Tasks.run(1, number -> callNative(method));
        WorkloadConsole.fact("caller", SourceLine.of("call"));
        WorkloadConsole.done();
    }

    private static void callNative(Method method) throws ReflectiveOperationException {
        method.invoke(SourceLine.mark("call", 0) == 0 ? null : method);
    }

    static void park() throws InterruptedException {
        Thread.sleep(millis);
    }

    @SuppressWarnings("WaitNotInLoop") // the wait is all there is
    static void await() throws InterruptedException {
        synchronized (MONITOR) {
            MONITOR.wait(millis);
        }
    }
}
