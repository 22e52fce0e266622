package io.vtagent.it.workload;

import java.io.IOException;

/**
 * {@code CODE [WAITS]}: a program that uses a virtual thread and a monitor, and ends with that exit
 * code, when stdin has ended if there is another argument.
 */
public final class Exiting {
    private int slept;

    private Exiting() {}

    public static void main(String[] arguments) throws InterruptedException, IOException {
        Exiting exiting = new Exiting();
        Tasks.run(2, number -> exiting.sleep());
        WorkloadConsole.fact("slept", exiting.slept);
        if (arguments.length > 1) {
            int unused = System.in.read();
        }
        System.exit(Integer.parseInt(arguments[0]));
    }

    private synchronized void sleep() throws InterruptedException {
        Thread.sleep(20);
        slept++;
    }
}
