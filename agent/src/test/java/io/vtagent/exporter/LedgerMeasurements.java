package io.vtagent.exporter;

import io.vtagent.instrument.Installation;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.relief.ReliefFigures;
import java.util.List;
import java.util.Map;

/** The measurements of a ledger alone, without a sampler and without relief. */
final class LedgerMeasurements {
    private LedgerMeasurements() {}

    static MeasurementSource of(Ledger ledger, long beganNanos) {
        return MeasurementSource.of(
                ledger,
                null,
                null,
                new NoRelief(),
                new Installation(
                        true, true, true, Map.of(), name -> false, () -> 0, () -> 0, List::of),
                new Sensors(),
                beganNanos);
    }

    private static final class NoRelief implements ReliefFigures {
        @Override
        public boolean isOn() {
            return false;
        }

        @Override
        public long added() {
            return 0;
        }

        @Override
        public long pins() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }
    }
}
