package io.vtagent.it.workload;

import java.io.IOException;
import java.util.Arrays;
import java.util.concurrent.atomic.LongAdder;

/**
 * {@code TASKS MILLIS}: every task sleeps once, in a monitor of its own. Some of them come before,
 * to warm up.
 */
public final class OwnMonitors {
    private static final int WARM_UP_TASKS = 80;
    private static final LongAdder SLEPT_NANOS = new LongAdder();

    private OwnMonitors() {}

    /** The monitor of a task. */
    private static final class Monitor {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int tasks = Integer.parseInt(arguments[0]);
        long millis = Long.parseLong(arguments[1]);
        run(WARM_UP_TASKS, millis);
        try (PinRecording recording = new PinRecording()) {
            WorkloadConsole.printAndWait("warm");
            SLEPT_NANOS.reset();
            run(tasks, millis);
            WorkloadConsole.fact(
                    "recorded",
                    recording.pinsIn(
                            method -> method.equals(OwnMonitors.class.getName() + ".sleepIn")));
        }
        WorkloadConsole.fact("seconds", SLEPT_NANOS.sum() / 1e9);
        WorkloadConsole.fact("site", SourceLine.of("sleep"));
        WorkloadConsole.fact("monitor", Monitor.class.getName());
        WorkloadConsole.done();
    }

    private static void run(int tasks, long millis) throws InterruptedException {
        // in an array, or the compiler proves that they are thread-local, and elides them
        Monitor[] monitors = new Monitor[tasks];
        Arrays.setAll(monitors, number -> new Monitor());
        Tasks.run(tasks, number -> sleepIn(monitors[number], millis));
    }

    private static void sleepIn(Monitor monitor, long millis) throws InterruptedException {
        synchronized (monitor) {
            long beganNanos = System.nanoTime();
            Thread.sleep(SourceLine.mark("sleep", millis));
            SLEPT_NANOS.add(System.nanoTime() - beganNanos);
        }
    }
}
