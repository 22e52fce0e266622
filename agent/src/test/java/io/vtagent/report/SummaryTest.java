package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SummaryTest {
    private static final String LONG =
            "com.acme.warehouse.inventory.internal.persistence.ArticleRepositoryImplementation";
    private static final String ADVICE =
            LONG
                    + ".load holds a monitor while java.nio.channels.SocketChannel.read blocks."
                    + " Replace synchronized with a ReentrantLock, or call"
                    + " java.nio.channels.SocketChannel.read outside of it.";

    @ParameterizedTest
    @CsvSource({
        "0, 0 % of the scheduler lost",
        "1, less than 0.1 % of the scheduler lost",
        "9_999_999, less than 0.1 % of the scheduler lost",
        "10_000_000, 0.1 % of the scheduler lost",
        "15_960_000_000, 79.8 % of the scheduler lost",
        "20_000_000_000, 100.0 % of the scheduler lost",
    })
    void theShareIsOfAllCarriersOverAllTheTime(String nanos, String expected) {
        assertThat(firstLine(held(Long.parseLong(nanos.replace("_", "")), FullReport.SCHEDULER)))
                .endsWith(" in 10.00 s: " + expected);
    }

    /** A carrier for which the scheduler or relief compensates is held and not lost. */
    @Test
    void whatIsHeldAndNotLostIsNotInTheShare() {
        assertThat(
                        firstLine(
                                held(62_000_000_000L, FullReport.SCHEDULER)
                                        .with(PinReport.CarrierTime.NONE)))
                .isEqualTo(
                        "[vt-agent] carriers were held for 62.00 s by 1 pin in 10.00 s: 0 % of the"
                                + " scheduler lost");
    }

    @Test
    void whereTheSchedulerIsNotKnownThereIsNoShare() {
        assertThat(Summary.of(held(5, PinReport.Scheduler.UNKNOWN)))
                .startsWith(
                        "[vt-agent] carriers were held for 0 us by 1 pin in 10.00 s\n"
                                + "  JDK 21.0.8; a monitor pins");
    }

    @ParameterizedTest
    @ValueSource(ints = {0, 1, 4, 5, 6, 200})
    void atMostFiveSitesAreReportedAndHowManyMoreThereAre(int count) {
        List<String> lines =
                Summary.of(
                                report(
                                        sites(count, "a.B.c:"),
                                        List.of(),
                                        PinReport.Starved.NEVER,
                                        FullReport.JVM))
                        .lines()
                        .toList();

        assertThat(lines)
                .filteredOn(line -> line.matches("  \\d\\. a\\.B\\.c:\\d .*"))
                .hasSize(Math.min(count, 5));
        assertThat(lines).filteredOn(line -> line.startsWith("  and ")).hasSize(count > 5 ? 1 : 0);
        if (count == 6) {
            assertThat(lines).last().isEqualTo("  and 1 more site: 1 pin, 1.00 s");
        }
        if (count == 200) {
            assertThat(lines).last().isEqualTo("  and 195 more sites: 195 pins, 195.0 s");
        }
    }

    /** It fits however much there is to report, and however long the names are. */
    @Test
    void itFitsAScreen() {
        List<PinReport.Total> totals = new ArrayList<>();
        for (PinKind kind : PinKind.values()) {
            for (PinReason reason : PinReason.values()) {
                totals.add(
                        new PinReport.Total(
                                new PinKey(kind, reason, true),
                                new PinReport.Figures(
                                        123_456,
                                        99_000_000_000_000L,
                                        98_000_000_000_000L,
                                        new ActivePinTotals(9, 1_000_000_000, 1))));
            }
        }
        Diagnosis diagnosis =
                new Diagnosis(
                        "Nothing moves: " + "each waits for the next, ".repeat(12),
                        false,
                        "relief=stuck would add carriers, one at a time, until something moves"
                                + " again, which it does not of itself",
                        List.of(),
                        1,
                        1,
                        1,
                        List.of(),
                        List.of(),
                        List.of());
        PinReport worst =
                report(
                        sites(200, LONG + ".loadArticleWithAllItsStockLevels:"),
                        totals,
                        new PinReport.Starved(12, 99_000_000_000_000L, diagnosis, true, List.of()),
                        FullReport.JVM);

        List<String> lines = Summary.of(worst).lines().toList();
        assertThat(lines).hasSizeLessThanOrEqualTo(Summary.LINES);
        assertThat(lines).allMatch(line -> line.length() <= Summary.COLUMNS);
        assertThat(lines).anyMatch(line -> line.startsWith("  1. ..."));
        assertThat(lines)
                .anyMatch(
                        line -> line.matches("  and 34 more kinds: 4,197,504 pins, 3,366,000.0 s"));
        assertThat(lines)
                .filteredOn(line -> line.contains("waits for the next"))
                .hasSize(2)
                .last()
                .asString()
                .endsWith(" ...");
    }

    @Test
    void starvationThatIsOverIsMarked() {
        PinReport.Starved over =
                new PinReport.Starved(1, 5_000_000_000L, FullReport.DIAGNOSIS, false, List.of());
        assertThat(Summary.of(report(sites(1, LONG + ".load:"), List.of(), over, FullReport.JVM)))
                .contains(
                        "\n" + "  last time (over): `ReentrantLock@1` is owned by" + " `late`.\n");
    }

    @Test
    void aSiteIsTwoLinesWithItsCallerAndWhatToDo() {
        assertThat(
                        Summary.of(
                                report(
                                        sites(1, LONG + ".load:"),
                                        List.of(),
                                        PinReport.Starved.NEVER,
                                        FullReport.JVM)))
                .endsWith(
                        """
                          1. c.a.w.i.i.p.ArticleRepositoryImplementation.load:1  park: 1 pin, 1.00 s (100 %), gone on JDK 24
                             Replace synchronized with a ReentrantLock, or call SocketChannel.read outside of it.
                        """);
    }

    @Test
    void whatTheForecastDoesNotKnowIsNotForetold() {
        PinReport.Held unknown =
                new PinReport.Held(
                        PinSite.unattributed(PinKind.PARK),
                        FullReport.figures(1, 1_000_000_000, 1),
                        0,
                        null,
                        "lower stack-threshold",
                        Forecast.OfSite.UNKNOWN);

        assertThat(
                        Summary.of(
                                report(
                                        List.of(unknown),
                                        List.of(),
                                        PinReport.Starved.NEVER,
                                        FullReport.JVM)))
                .endsWith(
                        "\n"
                                + "  1. (unattributed)  park: 1 pin, 1.00 s (100 %)\n"
                                + "     lower stack-threshold\n");
    }

    private static String firstLine(PinReport report) {
        return Summary.of(report).lines().findFirst().orElseThrow();
    }

    private static PinReport held(long nanos, PinReport.Scheduler scheduler) {
        return new PinReport(
                FullReport.JVM,
                10_000_000_000L,
                List.of(
                        new PinReport.Total(
                                new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                                FullReport.figures(1, nanos, nanos))),
                List.of(),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                new PinReport.CarrierTime(0, 0, 0, 0, nanos, 0, 0, 0, 0),
                FullReport.FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                scheduler,
                List.of());
    }

    /** With a second for each site, if there are no {@code totals}. */
    private static PinReport report(
            List<PinReport.Held> sites,
            List<PinReport.Total> totals,
            PinReport.Starved starved,
            PinReport.Jvm jvm) {
        PinReport.Total ofSites =
                new PinReport.Total(
                        new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                        FullReport.figures(
                                sites.size(), sites.size() * 1_000_000_000L, 1_000_000_000));
        return new PinReport(
                jvm,
                10_000_000_000L,
                totals.isEmpty() ? List.of(ofSites) : totals,
                sites,
                PinReport.Rare.NONE,
                FullReport.IN_PROGRESS,
                PinReport.CarrierTime.NONE,
                new Forecast(
                        99_000_000_000_000L, 98_000_000_000_000L, 97_000_000_000_000L, List.of()),
                starved,
                new PinReport.Delayed(true, 50, 200_000_000, 150_000_000, 3_000_000_000L),
                FullReport.RELIEVED,
                FullReport.SCHEDULER,
                List.of());
    }

    private static List<PinReport.Held> sites(int count, String caller) {
        return IntStream.rangeClosed(1, count)
                .mapToObj(
                        line ->
                                new PinReport.Held(
                                        new PinSite(
                                                caller + line,
                                                caller + line,
                                                "java.nio.channels.SocketChannel.read",
                                                PinKind.PARK),
                                        FullReport.figures(1, 1_000_000_000, 1_000_000_000),
                                        0,
                                        null,
                                        ADVICE,
                                        Forecast.OfSite.GOES))
                .toList();
    }
}
