package io.vtagent.exporter.jmx;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.Buckets;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import io.vtagent.site.FramesOfInterest;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class VtAgentBeanTest {
    private PinReport report = computed(3, 700_000_000);
    private final VtAgentBean bean =
            new VtAgentBean(
                    new Measured(
                            new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE),
                            () -> report,
                            answered -> answered,
                            List::of,
                            new TextReport.Style(true, List.of())));

    @AfterEach
    void close() {
        bean.close();
    }

    private static PinReport computed(long spells, long nanos) {
        PinReport.BusyPlace site =
                new PinReport.BusyPlace(
                        "lib.Pool.borrow:7",
                        "shop.Cart.add:12",
                        spells,
                        nanos,
                        300_000_000,
                        List.of());
        return KeptPinsTest.report().with(new PinReport.Busy(true, 2, List.of(site)));
    }

    @Test
    void whatComputesIsNamedAndCountsFromTheReset() {
        assertThat(bean.getBusyCarriers()).isEqualTo(2);
        assertThat(bean.getBusySites())
                .containsExactly(
                        new BusySiteFigures("lib.Pool.borrow:7", "shop.Cart.add:12", 3, 0.7, 0.3));

        bean.reset();
        report = computed(5, 900_000_000);
        assertThat(bean.getBusySites())
                .singleElement()
                .extracting(BusySiteFigures::spells, BusySiteFigures::busySeconds)
                .containsExactly(2L, 0.2);
    }
}
