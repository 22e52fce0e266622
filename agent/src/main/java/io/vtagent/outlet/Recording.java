package io.vtagent.outlet;

import io.vtagent.history.History;
import io.vtagent.report.PinReport;
import java.util.function.LongSupplier;

/** Keeps the last hour. */
record Recording(History history, LongSupplier uptimeNanos) implements Outlet {
    @Override
    public void tell(PinReport report) {
        history.add(report);
    }

    @Override
    public void rest() {
        history.restUntil(uptimeNanos.getAsLong());
    }
}
