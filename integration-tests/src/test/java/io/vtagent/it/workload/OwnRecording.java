package io.vtagent.it.workload;

import jdk.jfr.FlightRecorder;
import jdk.jfr.Recording;

/**
 * Says how the recordings of this JVM are named and where they are, and then makes one of its own.
 */
public final class OwnRecording {
    private OwnRecording() {}

    public static void main(String[] arguments) throws InterruptedException {
        Told.warm();
        for (Recording recording : FlightRecorder.getFlightRecorder().getRecordings()) {
            Told.fact("recording", recording.getName());
        }
        Told.fact("repository", System.getProperty("jdk.jfr.repository"));
        Told.says("told");
        try (Recording own = new Recording()) {
            own.start();
            Told.done();
        }
    }
}
