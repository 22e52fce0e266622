package io.vtagent.exporter;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.StartupGate;
import io.vtagent.ledger.EndedPins;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.util.function.BooleanSupplier;

/**
 * Prints the report of a JVM that ends before the agent has begun. Thread-safe.
 *
 * @param first knows whether virtual threads have run unobserved, and what the hooks report to
 */
public record EarlyReport(Installation installation, StartupGate first)
        implements Runnable, BooleanSupplier {

    /** Returns whether there are pins that only the agent can report, and it is about to begin. */
    @Override
    public boolean getAsBoolean() {
        return isToWait();
    }

    boolean isToWait() {
        return !first.isBegun() && hasPinsOfNote();
    }

    @Override
    public void run() {
        PinReport.Jvm jvm = MeasurementSource.jvm(installation, new Sensors());
        Ledger ledger = first.observing();
        if (first.hasTimedOut() || hasPinsOfNote()) {
            AgentLog.write(TextReport.ofUnseen(jvm));
        } else if (ledger == null || ledger.isEmpty()) {
            AgentLog.write(TextReport.ofNothing(jvm));
        } else {
            EndedPins ended = ledger.unpublishedTotals();
            AgentLog.write(TextReport.ofLittle(ended.count(), ended.nanos(), jvm));
        }
    }

    private boolean hasPinsOfNote() {
        Ledger ledger = first.observing();
        return ledger != null
                && (!ledger.active().isEmpty()
                        || (!ledger.isEmpty()
                                && !TextReport.isLittle(ledger.unpublishedTotals().nanos())));
    }
}
