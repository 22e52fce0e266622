package io.vtagent.it.workload;

/** {@code THREADS}: that many virtual threads that do nothing. */
public final class EndAtOnce {
    private EndAtOnce() {}

    public static void main(String[] arguments) throws InterruptedException {
        Tasks.run(Integer.parseInt(arguments[0]), number -> {});
        WorkloadConsole.printAndWait("ended");
    }
}
