package io.vtagent.it.workload;

import java.lang.reflect.Method;

/**
 * {@code THREADS MILLIS monitor|native}: as the first thing that it does, starts that many virtual threads that sleep in a monitor of their
 * own, or in a method which native code has called, each with a stack that was not there before. The latter needs
 * {@code -Djdk.reflect.useNativeAccessorOnly=true}.
 */
public final class FirstPins {
    private final long millis;
    private final boolean inMonitor;

    private FirstPins(long millis, boolean inMonitor) {
        this.millis = millis;
        this.inMonitor = inMonitor;
    }

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        FirstPins pins = new FirstPins(Long.parseLong(arguments[1]), arguments[2].equals("monitor"));
        Tasks.join(Tasks.start(threads, pins::descend));
        Told.done();
    }

    private void descend(int more) throws InterruptedException, ReflectiveOperationException {
        if (more > 0) {
            descend(more - 1);
        } else if (inMonitor) {
            sleepInMonitor();
        } else {
            Method sleep = FirstPins.class.getDeclaredMethod("sleep");
            sleep.invoke(this);
        }
    }

    private void sleepInMonitor() throws InterruptedException {
        synchronized (new Object()) {
            sleep();
        }
    }

    private void sleep() throws InterruptedException {
        Thread.sleep(millis);
    }
}
