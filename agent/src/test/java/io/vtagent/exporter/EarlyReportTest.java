package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.StartupGate;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class EarlyReportTest {
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(1), 1, Buckets.SINGLE);
    private final StartupGate first = new StartupGate(1);
    private final EarlyReport report =
            new EarlyReport(
                    new Installation(
                            true, true, true, Map.of(), name -> false, () -> 0, () -> 0, List::of),
                    first);

    @Test
    void itIsNotWorthWaitingForTheAgentWithoutPinsOrWithShortOnes() {
        assertThat(report.isToWait()).isFalse();
        first.observedBy(ledger);
        assertThat(report.isToWait()).isFalse();

        ledger.add(PinKind.IO, PinReason.NONE, 47_000, () -> null);

        assertThat(report.isToWait()).isFalse();
    }

    @Test
    void pinsWhoseSitesOnlyTheAgentReportsAreWaitedForUntilItHasBegun() {
        first.observedBy(ledger);
        ledger.add(PinKind.IO, PinReason.NONE, 600_000, () -> null);
        ledger.add(PinKind.IO, PinReason.NONE, 600_000, () -> null);
        assertThat(report.isToWait()).isTrue();

        first.begun();

        assertThat(report.isToWait()).isFalse();
    }
}
