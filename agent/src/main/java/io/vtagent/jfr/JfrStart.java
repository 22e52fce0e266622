package io.vtagent.jfr;

import io.vtagent.thread.AgentThread;
import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import jdk.jfr.FlightRecorder;

/** Starts JFR in a JVM that may be about to end. */
final class JfrStart {
    private static final long MAX_NANOS = 3_000_000_000L;

    private JfrStart() {}

    /**
     * Starts JFR in this JVM. If the JVM ended meanwhile, JFR would print to the application's
     * stdout that it was started too early (jfrJvmtiAgent.cpp). So a shutdown hook waits until JFR
     * has started: some tenths of a second, once in the life of a JVM.
     *
     * @throws IOException if JFR cannot run in this JVM, or the JVM is ending
     */
    static void begin() throws IOException {
        CountDownLatch begun = new CountDownLatch(1);
        Thread hook =
                AgentThread.unstarted(
                        "vt-agent-jfr-start", () -> AgentThread.await(begun, MAX_NANOS));
        try {
            Runtime.getRuntime().addShutdownHook(hook);
        } catch (IllegalStateException ending) {
            throw new IOException("the JVM is ending", ending);
        }
        try {
            if (!FlightRecorder.isAvailable()) {
                throw new IOException("Flight Recorder is not available in this JVM");
            }
            FlightRecorder.getFlightRecorder();
        } finally {
            AgentThread.countDown(begun);
            remove(hook);
        }
    }

    private static void remove(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // the hook runs and no longer has anything to wait for
        }
    }
}
