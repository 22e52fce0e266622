package io.vtagent.exporter;

import io.vtagent.instrument.Installation;
import io.vtagent.log.AgentLog;
import io.vtagent.record.Sensors;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.util.function.BooleanSupplier;

/**
 * Prints the report of a JVM that ends before the agent has begun. Thread-safe.
 *
 * @param unseen whether virtual threads may have run
 */
public record EarlyReport(Installation installation, BooleanSupplier unseen) implements Runnable {
    @Override
    public void run() {
        PinReport.Jvm jvm = MeasurementSource.jvm(installation, new Sensors());
        AgentLog.write(
                unseen.getAsBoolean() ? TextReport.ofUnseen(jvm) : TextReport.ofNothing(jvm));
    }
}
