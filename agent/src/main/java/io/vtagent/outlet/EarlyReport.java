package io.vtagent.outlet;

import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.ReportTarget;
import io.vtagent.record.Sensors;
import io.vtagent.report.TextReport;
import io.vtagent.thread.AgentThread;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;

/** Prints the report of a JVM that is over before the agent has begun, in which no virtual thread has run. Thread-safe. */
public final class EarlyReport {
    private static final long LONGEST_MILLIS = 1_000;

    private final AgentOptions options;
    private final Installation installation;
    private final Thread hook = AgentThread.unstarted("vt-agent-report", this::print);
    private final ReentrantLock opening = new ReentrantLock();
    private boolean handedOver;

    /** From now on prints it to stderr if the JVM ends, unless no report is wanted. */
    public EarlyReport(AgentOptions options, Installation installation) {
        this.options = options;
        this.installation = installation;
        Runtime.getRuntime().addShutdownHook(hook);
    }

    /** Not for long: what is being opened may never be, and the JVM is to end. */
    private void print() {
        boolean mine = false;
        try {
            mine = opening.tryLock(LONGEST_MILLIS, TimeUnit.MILLISECONDS);
            if (mine) {
                printUnlessHandedOver();
            }
        } catch (InterruptedException hurried) {
            // then without
        } finally {
            if (mine) {
                opening.unlock();
            }
        }
    }

    private void printUnlessHandedOver() {
        if (!handedOver && options.report().place() != ReportTarget.Place.OFF) {
            AgentLog.write(TextReport.ofNothing(Measurements.jvm(installation, new Sensors())));
        }
    }

    /**
     * Has {@code open} open what will print the report from now on, unless that fails.
     *
     * @throws IllegalStateException if the JVM ends
     */
    public void handOver(Runnable open) {
        opening.lock();
        try {
            open.run();
            handedOver = true;
        } finally {
            opening.unlock();
        }
        forget();
    }

    /** Prints nothing. */
    public void forget() {
        Runtime.getRuntime().removeShutdownHook(hook);
    }
}
