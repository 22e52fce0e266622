package io.vtagent.exporter;

import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.record.StartupGate;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;

/**
 * Prints the report of a JVM that ends before the agent has begun. Thread-safe.
 *
 * @param first knows whether virtual threads have run unobserved
 */
public record EarlyReport(Installation installation, StartupGate first) implements Runnable {
    @Override
    public void run() {
        PinReport.Jvm jvm = MeasurementSource.jvm(installation, new Sensors());
        boolean unseen = first.isUnseen() || first.hasPins();
        AgentLog.write(unseen ? TextReport.ofUnseen(jvm) : TextReport.ofNothing(jvm));
    }
}
