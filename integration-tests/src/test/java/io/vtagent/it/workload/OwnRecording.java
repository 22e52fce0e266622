package io.vtagent.it.workload;

import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/** Prints the names and the files of the recordings of this JVM, and then makes one of its own. */
public final class OwnRecording {
    private OwnRecording() {}

    public static void main(String[] arguments) throws InterruptedException {
        WorkloadConsole.warmUp();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            WorkloadConsole.fact("recording", recording.getName());
        }
        WorkloadConsole.fact("repository", System.getProperty("jdk.jfr.repository"));
        WorkloadConsole.printAndWait("told");
        try (Recording own = new Recording()) {
            own.start();
            WorkloadConsole.done();
        }
    }
}
