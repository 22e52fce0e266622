package io.vtagent.exporter;

import io.vtagent.exporter.history.History;
import io.vtagent.report.PinReport;
import java.util.function.LongSupplier;

/** Records the last hour in the history. */
record Recording(History history, LongSupplier uptimeNanos) implements Exporter {
    @Override
    public void publish(PinReport report) {
        history.add(report);
    }

    @Override
    public void onIdle() {
        history.idleUntil(uptimeNanos.getAsLong());
    }
}
