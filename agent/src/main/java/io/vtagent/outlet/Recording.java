package io.vtagent.outlet;

import io.vtagent.history.History;
import io.vtagent.report.PinReport;

/** Keeps the last hour. */
record Recording(History history) implements Outlet {
    @Override
    public void tell(PinReport report) {
        history.add(report);
    }
}
