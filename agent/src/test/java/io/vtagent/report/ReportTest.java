package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ReportTest {
    private static final PinReport.Jvm JVM =
            new PinReport.Jvm("1.0", "21.0.8", true, true, false, Map.of("park", ""));
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(
                            "java.base/java.lang.Thread.sleep(Thread.java:509)",
                            "shop.Cache.<init>(Cache.java:28)",
                            "shop.Main.main"),
                    1,
                    "shop.Cache.<init>:28",
                    PinnedStack.Cause.MONITOR,
                    "shop.Cache",
                    "java.lang.Thread.sleep",
                    null,
                    "shop.Native.call:?",
                    Map.of());
    private static final Forecast FORECAST = new Forecast(3, 1, 0, List.of());

    @Test
    void anApplicationWithoutPinsGetsOneLine() {
        assertThat(TextReport.render(report(List.of(), List.of())))
                .isEqualTo(
                        "[vt-agent] no virtual thread held its carrier (JDK 21.0.8; a monitor pins"
                                + " a virtual thread to its carrier in this JVM)\n");
    }

    @Test
    void theTextMarksTheHolderInTheStack() {
        assertThat(TextReport.render(onePin()))
                .contains("carriers were held for 1.50 s by 3 pins in 10.00 s")
                .contains("park, monitor: 3 pins, 1.50 s, longest 900.0 ms")
                .contains(
                        "\n"
                            + "[vt-agent] 1. shop.Cache.<init>:28  park: 3 pins, 1.50 s, longest"
                            + " 900.0 ms\n")
                .contains("=> at shop.Cache.<init>(Cache.java:28)  <== monitor: shop.Cache")
                .contains("do this");
    }

    @Test
    void jsonEscapesWhatIsSpecialInIt() {
        PinReport.Held held =
                new PinReport.Held(
                        new PinSite("quote\"back\\slash\nline", "a.B.c:1", "(other)", PinKind.IO),
                        FullReport.figures(1, 2, 3),
                        0,
                        null,
                        "",
                        Forecast.OfSite.UNKNOWN);
        assertThat(JsonReport.render(report(List.of(), List.of(held)), JsonReport.Detail.ALL))
                .contains(
                        "\"sites\":[{\"caller\":\"a.B.c:1\",\"site\":\"quote\\\"back\\\\slash\\n"
                            + "line\",\"operation\":\"(other)\",\"kind\":\"io\","
                            + "\"count\":1,\"heldNanos\":2,\"longestNanos\":3,\"waitingNanos\":0,\"advice\":\"\",\"withoutMonitorPins\":\"unknown\"}]");
    }

    @Test
    void jsonHoldsTheStackAndItsHolder() {
        assertThat(JsonReport.render(onePin(), JsonReport.Detail.ALL))
                .contains(
                        "\"totals\":[{\"kind\":\"park\",\"reason\":\"monitor\",\"compensated\":false,\"count\":3,")
                .contains(
                        "\"monitor\":\"shop.Cache\",\"nativeFrame\":\"shop.Native.call:?\",\"holderIndex\":1,\"stack\":[\"java.base/java.lang.Thread.sleep");
    }

    private static PinReport onePin() {
        PinKey key = new PinKey(PinKind.PARK, PinReason.MONITOR, false);
        PinSite site =
                new PinSite(
                        "shop.Cache.<init>:28",
                        "shop.Cache.<init>:28",
                        "java.lang.Thread.sleep",
                        PinKind.PARK);
        return report(
                List.of(
                        new PinReport.Total(
                                key, FullReport.figures(3, 1_500_000_000, 900_000_000))),
                List.of(
                        new PinReport.Held(
                                site,
                                FullReport.figures(3, 1_500_000_000, 900_000_000),
                                0,
                                STACK,
                                "do this",
                                Forecast.OfSite.GOES)));
    }

    private static PinReport report(List<PinReport.Total> totals, List<PinReport.Held> sites) {
        return new PinReport(
                JVM,
                10_000_000_000L,
                totals,
                sites,
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                PinReport.Scheduler.UNKNOWN,
                List.of());
    }
}
