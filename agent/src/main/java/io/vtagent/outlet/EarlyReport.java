package io.vtagent.outlet;

import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.ReportTarget;
import io.vtagent.record.Sensors;
import io.vtagent.report.TextReport;

/** The report of a JVM that is over before the agent has begun, in which no virtual thread has run. */
public final class EarlyReport {
    private EarlyReport() {}

    /** Prints it to stderr unless no report is wanted. */
    public static void print(AgentOptions options, Installation installation) {
        if (options.report().place() != ReportTarget.Place.OFF) {
            AgentLog.write(TextReport.ofNothing(Measurements.jvm(installation, new Sensors())));
        }
    }
}
