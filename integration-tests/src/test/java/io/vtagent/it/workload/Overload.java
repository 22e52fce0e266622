package io.vtagent.it.workload;

import java.lang.reflect.Method;

/**
 * {@code monitor|native TASKS MILLIS [LAST MILLIS]}: more tasks than carriers, each of which holds
 * one for {@code MILLIS}, the LAST of them for longer: in a monitor of its own, or, given {@code
 * -Djdk.reflect.useNativeAccessorOnly=true}, in a method which native code has called.
 */
public final class Overload {
    private Overload() {}

    public static void main(String[] arguments)
            throws ReflectiveOperationException, InterruptedException {
        boolean inMonitor = arguments[0].equals("monitor");
        int tasks = Integer.parseInt(arguments[1]);
        long millis = Long.parseLong(arguments[2]);
        int longFrom = arguments.length > 3 ? tasks - Integer.parseInt(arguments[3]) : tasks;
        long longMillis = arguments.length > 3 ? Long.parseLong(arguments[4]) : millis;
        Method sleep = Overload.class.getDeclaredMethod("sleep", long.class);
        Object[] monitors = new Object[tasks];
        WorkloadConsole.warmUp();
        long beganNanos = System.nanoTime();
        Tasks.run(
                tasks,
                number -> {
                    long itsMillis = number < longFrom ? millis : longMillis;
                    if (inMonitor) {
                        monitors[number] = new Object();
                        sleepIn(monitors[number], itsMillis);
                    } else {
                        sleep.invoke(null, itsMillis);
                    }
                });
        WorkloadConsole.fact("seconds", (System.nanoTime() - beganNanos) / 1e9);
        WorkloadConsole.done();
    }

    private static void sleepIn(Object monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            sleep(millis);
        }
    }

    static void sleep(long millis) throws InterruptedException {
        Thread.sleep(millis);
    }
}
