package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePinTotals;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TextReportTest {
    @Test
    void everythingThatHappenedIsReportedInOrder() {
        assertThat(TextReport.render(FullReport.everything()))
                .isEqualTo(
                        """
                        [vt-agent] Not pinning: 2 of 2 virtual threads are parked at a.B.c:1.
                          Find out what they wait for.
                        [vt-agent] carriers were held for 2.00 s by 4 pins in 10.00 s: 10.0 % of the scheduler lost
                          JDK 21.0.8, 2 carriers; a monitor pins a virtual thread to its carrier in this JVM
                          of that 200.0 ms by 1 pin in progress, the oldest for 200.0 ms
                          the carriers' time: 10.0 % held, 25.0 % running, 5.0 % runnable without a CPU, 60.0 % idle
                          virtual threads that were ready waited 3.50 s for held carriers and 500.0 ms for busy ones
                          park, monitor: 3 pins, 1.50 s, longest 900.0 ms
                          and 1 more kind: 1 pin, 500.0 ms
                          on JDK 24 and later 75 % of it (1.50 s) would go away, 500.0 ms would stay
                          every carrier was held with work queued: 6.50 s in 2 periods
                          `ReentrantLock@1` is owned by `late`.
                          relief=stuck would help
                          a virtual thread waited 4.0 ms on average, 150.0 ms at most, for a carrier (50 probes), and one
                            has been waiting for 3.00 s
                          relief compensated 2.5 ms of it (1,234 pins) and added 12 carriers
                          too few samples for a site: 2 places, at most 16.4 ms
                          1. shop.Cache.<init>:28  park: 3 pins, 1.50 s (75 %), others waited 3.00 s, gone on JDK 24
                             do "this" & that
                          2. shop.Main.main:4  class_init: 1 pin, ~300.0 ms (15 %), stays on JDK 24
                             earlier
                          3. shop.Files.load:5  io: 1 pin, 150.0 ms (8 %), stays on JDK 24
                             pool
                          and 1 more site: 2 pins, 50.0 ms
                        [vt-agent] 1. shop.Cache.<init>:28  park: 3 pins, 1.50 s, longest 750.0 ms; others waited 3.00 s
                           durations: 2 of 200-500 ms, 1 of 500 ms-1 s
                           blocked in java.lang.Thread.sleep with a monitor of shop.Cache
                           also above shop.Native.call:?, a native frame, class initializer or class loader, which would hold the carrier \
                        by itself, too
                           do "this" & that
                              at java.base/java.lang.Thread.sleep(Thread.java:509)
                           => at shop.Cache.<init>(Cache.java:28)  <== monitor: shop.Cache
                              at shop.Main.main(Main.java:3)  <== monitor: shop.Main, shop.Lock; the wait keeps shop.Lock
                        [vt-agent] 2. shop.Main.main:4  class_init: 1 pin, ~300.0 ms, longest 150.0 ms
                           blocked in class initialization of shop.Slow
                           earlier
                           => at shop.Main.main(Main.java:4)  <== class initializer
                        [vt-agent] 3. shop.Files.load:5, in java.io.FileInputStream.read:9  io: 1 pin, 150.0 ms, longest 75.0 ms
                           blocked in java.io.FileInputStream.read
                           pool
                              at java.base/java.io.FileInputStream.read(FileInputStream.java:9)
                        [vt-agent] 4. (other)  park: 2 pins, 50.0 ms, longest 25.0 ms
                           durations: 2 of 20-50 ms
                           raise
                        [vt-agent] busy: virtual threads computed without unmounting for ~4.02 s, seen in 41 spells, 20.1 % of the scheduler; 1 carrier busy now
                          1. shop.Basket.add:12, in lib.Pool.borrow:7  ~4.00 s, seen in 40 spells, longest 1.20 s
                          and 1 more site
                           Virtual threads share no time slices, so code that computes keeps its carrier from all others: run it on a bounded \
                        pool of platform threads, call Thread.yield() every so often, or let fewer threads compute at a time.
                        """);
    }

    /** The threads began to compute at another site. */
    @Test
    void aBusySiteWithoutSpellsHasOnlyItsTime() {
        PinReport.BusyPlace site =
                new PinReport.BusyPlace(
                        "shop.Sum.add:1", "shop.Sum.add:1", 0, 200_000_000, 150_000_000, List.of());

        String text =
                TextReport.render(
                        FullReport.everything().with(new PinReport.Busy(true, 0, List.of(site))));

        assertThat(text).contains("  1. shop.Sum.add:1  ~200.0 ms\n");
    }

    @Test
    void busySitesThatWereSampledTooRarelyHaveNoRowAndNoAdvice() {
        PinReport.BusyPlace site =
                new PinReport.BusyPlace(
                        "shop.Sum.add:1", "shop.Sum.add:1", 2, 500_000_000, 12_000_000, List.of());

        String text =
                TextReport.render(
                        FullReport.everything().with(new PinReport.Busy(true, 0, List.of(site))));

        assertThat(text)
                .endsWith(
                        "seen in 2 spells, 2.5 % of the scheduler\n"
                                + "  1 site, each seen too rarely\n");
    }

    @Test
    void manySitesThatEachWereSampledTooRarelyHaveAdvice() {
        List<PinReport.BusyPlace> two = List.of(busySite(2, 1), busySite(2, 1));

        assertThat(
                        TextReport.render(
                                FullReport.everything().with(new PinReport.Busy(true, 0, two))))
                .contains("  2 sites, each seen too rarely\n   Virtual threads share no");
    }

    @Test
    void threeSpellsOrALongOneAreARow() {
        assertThat(busySite(2, 99_999_999).isRare()).isTrue();
        assertThat(busySite(3, 99_999_999).isRare()).isFalse();
        assertThat(busySite(1, 100_000_000).isRare()).isFalse();
    }

    private static PinReport.BusyPlace busySite(int count, long longestNanos) {
        return new PinReport.BusyPlace("A.a:1", "A.a:1", count, 1, longestNanos, List.of());
    }

    @Test
    void withoutStacksItIsTheSummary() {
        String all = TextReport.render(FullReport.everything());
        String summary =
                TextReport.render(FullReport.everything(), new TextReport.Style(false, List.of()));

        String busy = summary.substring(summary.indexOf("[vt-agent] busy:"));
        assertThat(all).startsWith(summary.replace(busy, "")).endsWith(busy);
        assertThat(summary)
                .contains("  and 1 more site: 2 pins, 50.0 ms\n[vt-agent] busy:")
                .doesNotContain("blocked in", "=>");
    }

    @Test
    void busyCarriersAreReportedWhereNothingWasHeld() {
        PinReport nothing = FullReport.withoutPins(ActivePinTotals.NONE, PinReport.Starved.NEVER);

        assertThat(TextReport.render(nothing).lines()).hasSize(1);
        assertThat(TextReport.render(nothing.with(FullReport.BUSY)).lines())
                .hasSize(5)
                .anyMatch(line -> line.contains("1. shop.Basket.add:12, in lib.Pool.borrow:7"));
    }

    /**
     * Amid a service's lines it shows whose each of them is, and there is none to be taken for an
     * event without a text.
     */
    @Test
    void eachLineThatIsNotIndentedBeginsWithTheAgentsPrefix() {
        for (PinReport report :
                List.of(
                        FullReport.everything(),
                        FullReport.withoutMonitorPins(),
                        FullReport.withoutPins(ActivePinTotals.NONE, PinReport.Starved.NEVER))) {
            assertThat(TextReport.render(report).lines())
                    .allMatch(line -> line.startsWith("[vt-agent] ") || line.matches(" {2,}\\S.*"));
        }
    }

    @Test
    void whereMonitorsDoNotPinNothingIsForeseen() {
        assertThat(TextReport.render(FullReport.withoutMonitorPins()).replaceAll("\\s+", " "))
                .contains(
                        "monitors do not pin in this JVM; native frames, class initializers and"
                                + " class loaders do")
                .doesNotContain("would go away", "on JDK 24", "every carrier", "relief");
    }

    @Test
    void theDelayOfVirtualThreadsIsReportedWithoutPinsAsWell() {
        assertThat(
                        TextReport.render(
                                FullReport.withoutPins(
                                        new PinReport.Delayed(true, 2, 3_000_000, 2_500_000, 0))))
                .isEqualTo(
                        "[vt-agent] no virtual thread held its carrier; a virtual thread waited 1.5"
                                + " ms on average, 2.5 ms at most, for a carrier (2 probes) (JDK"
                                + " 21.0.8; a monitor pins a virtual thread to its carrier in this"
                                + " JVM)\n");
        assertThat(
                        TextReport.render(
                                FullReport.withoutPins(
                                        new PinReport.Delayed(true, 0, 0, 0, 2_000_000_000L))))
                .contains(
                        "held its carrier; a virtual thread has been waiting for a carrier for 2.00"
                                + " s (JDK");
        assertThat(
                        TextReport.render(
                                FullReport.withoutPins(new PinReport.Delayed(true, 0, 0, 0, 0))))
                .contains("held its carrier (JDK");
    }

    @Test
    void onePeriodIsNotCalledPeriods() {
        PinReport.Starved once = new PinReport.Starved(1, 400_000_000, null, false, List.of());
        assertThat(TextReport.render(FullReport.withoutPins(ActivePinTotals.NONE, once)))
                .contains("  every carrier was held with work queued: 400.0 ms in 1 period\n")
                .startsWith("[vt-agent] carriers were held for 0 us by 0 pins");
    }

    @Test
    void sitesAreNotListedWhereCarriersWereHardlyHeld() {
        String little =
                TextReport.render(
                        FullReport.held(999_000)
                                .with(
                                        new Answer(
                                                Answer.Kind.HARMLESS,
                                                "Pinning, but harmless.",
                                                Map.of(),
                                                null,
                                                null)));

        assertThat(little)
                .isEqualTo(
                        "[vt-agent] carriers were held for 999 us by 2 pins (JDK 21.0.8; a monitor"
                                + " pins a virtual thread to its carrier in this JVM)\n");
        assertThat(TextReport.render(FullReport.held(1_000_000)))
                .startsWith("[vt-agent] carriers were held for 1.0 ms by 2 pins in 10.00 s")
                .contains("  1. ");
    }

    @Test
    void aJvmWithoutCarriersHasNothingToReport() {
        assertThat(new PinReport.Jvm("1", "21", false, true, false, Map.of()).pinningMode())
                .isEqualTo("virtual threads have no carriers in this JVM, nothing can be pinned");
    }
}
