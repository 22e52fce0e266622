package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.json.BadJsonException;
import io.vtagent.json.JsonFields;
import io.vtagent.report.PinReport;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ComparisonTest {
    /** 100 ms per second. */
    private static final PinReport OLD = Reports.of(10 * SECOND, site("a.B.c:1", 10, SECOND));

    /** Twice as much in four times the time: 50 ms per second. */
    private static final PinReport NEW =
            Reports.of(40 * SECOND, site("a.B.c:1", 10, SECOND), site("a.B.d:1", 10, SECOND));

    private static Comparison perSecond(PinReport before, PinReport after) {
        return Comparison.of(before, after, Normalization.second(before, after));
    }

    @Test
    void heldTimeIsDividedByTheTimeThatWasMeasured() {
        Comparison comparison = perSecond(OLD, NEW);

        assertThat(comparison.rateBefore()).isEqualTo(100 * MILLI);
        assertThat(comparison.rateAfter()).isEqualTo(50 * MILLI);
        assertThat(comparison.growth()).isEqualTo(-50 * MILLI);
        assertThat(comparison.growthShare()).isEqualTo(-0.5);
    }

    @Test
    void orByWhatTheUserHasCounted() {
        Comparison comparison =
                Comparison.of(OLD, NEW, Normalization.counts("1000,500", "request"));

        assertThat(comparison.rateBefore()).isEqualTo(MILLI);
        assertThat(comparison.rateAfter()).isEqualTo(4 * MILLI);
        assertThat(comparison.growthShare()).isEqualTo(3);
        assertThat(Comparison.of(OLD, NEW, Normalization.counts("1000", null)).growthShare())
                .isEqualTo(1);
    }

    @Test
    void whatGrewMostComesFirst() {
        PinReport before =
                Reports.of(
                        SECOND,
                        site("a.B.c:1", 1, 3),
                        site("a.B.d:1", 1, 4),
                        site("a.B.e:1", 1, 9));
        PinReport after =
                Reports.of(
                        SECOND,
                        site("a.B.c:1", 1, 4),
                        site("a.B.d:1", 1, 9),
                        site("a.B.f:1", 1, 2));

        assertThat(perSecond(before, after).rows())
                .extracting(row -> row.pair().newest().site().site() + " " + row.growth())
                .containsExactly("a.B.d:1 5.0", "a.B.f:1 2.0", "a.B.c:1 1.0", "a.B.e:1 -9.0");
    }

    @ParameterizedTest
    @CsvSource({
        "100, 105, 5%, false",
        "100, 106, 5%, true",
        "100, 90, 0%, false",
        "100, 101, 0%, true",
        "0, 0, 0%, false",
        "0, 1, 1000%, true",
        "100, 110, 10ms, false",
        "100, 111, 10ms, true",
        "100, 100, 0, false",
        "100, 50, 0, false",
        "100, 120, '10%,10ms', true",
        "100, 120, '10%,30ms', false",
        "100, 120, '10ms,30%', false",
        "0, 20, '10%,10ms', true",
        "0, 5, '10%,10ms', false",
    })
    void theGateFailsAboveItsLimit(long oldMillis, long newMillis, String limit, boolean fails) {
        Comparison comparison =
                perSecond(
                        Reports.of(SECOND, site("a.B.c:1", 1, oldMillis * MILLI)),
                        Reports.of(SECOND, site("a.B.c:1", 1, newMillis * MILLI)));

        assertThat(GrowthLimit.parse(limit).isExceededBy(comparison)).isEqualTo(fails);
    }

    /** A ten-thousandth of a second is 100 µs. */
    @ParameterizedTest
    @CsvSource({"99999, false", "100000, true"})
    void fromNothingToNextToNothingIsNoPercentage(long newNanos, boolean fails) {
        Comparison comparison =
                perSecond(Reports.of(SECOND), Reports.of(SECOND, site("a.B.c:1", 1, newNanos)));

        assertThat(GrowthLimit.parse("5%").isExceededBy(comparison)).isEqualTo(fails);
        assertThat(GrowthLimit.parse("1us").isExceededBy(comparison)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "5",
                "%",
                "-5%",
                "5 %",
                "ten",
                "1d",
                "",
                "5%,6%",
                "1ms,2ms",
                "5%,",
                ",5%",
                "5%,1ms,2ms"
            })
    void whatIsNoLimitIsReported(String limit) {
        assertThatThrownBy(() -> GrowthLimit.parse(limit))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("--fail-above is \"" + limit + "\", expected");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "1,0", "0,1", "1,2,3", "-1", "x", "1.5", ""})
    void whatIsNoCountIsReported(String counts) {
        assertThatThrownBy(() -> Normalization.counts(counts, null))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("--per is \"" + counts + "\", expected");
    }

    @Test
    void theTableShowsWhatIsNewWhatMovedAndWhatIsGone() {
        PinReport before =
                Reports.of(
                        SECOND,
                        site("a.B.c:1", 1, 100 * MILLI),
                        site("a.B.d:1", 1, MILLI),
                        site("a.B.e:1", 1, 9 * MILLI));
        PinReport after =
                Reports.of(
                        SECOND,
                        site("a.B.c:1", 1, 150 * MILLI),
                        site("a.B.d:7", 1, 4 * MILLI),
                        site("a.B.f:1", 1, 1000));

        assertThat(new ComparisonText(perSecond(before, after), "old.json", "new.json").render())
                .isEqualTo(
                        """
                        carrier time held per second: 110.0 ms in the old run, 154.0 ms in the new one: +44.0 ms (+40.0 %)
                          old: old.json, 110.0 ms by 3 pins in 1.00 s on JDK 21.0.8; 2.8 % of the scheduler lost, others waited 0 us
                          new: new.json, 154.0 ms by 3 pins in 1.00 s on JDK 21.0.8; 3.9 % of the scheduler lost, others waited 0 us

                              growth          old          new      waiting         kind        site
                            +50.0 ms     100.0 ms     150.0 ms         0 ns         park        a.B.c:1
                             +3.0 ms       1.0 ms       4.0 ms         0 ns  moved  park        a.B.d:7 (was line 1)
                             -9.0 ms       9.0 ms            -         0 ns  gone   park        a.B.e:1

                        1 more site held carriers for less than a ten-thousandth of the time in either run
                        """);
    }

    private static PinReport computing(PinReport.BusyPlace... sites) {
        return Reports.of(SECOND).with(new PinReport.Busy(true, 1, List.of(sites)));
    }

    private static PinReport.BusyPlace computes(String site, long millis) {
        return new PinReport.BusyPlace(
                site, "a.Caller.run:9", 3, millis * MILLI, 20 * MILLI, List.of());
    }

    private static final PinReport COMPUTED =
            computing(computes("a.B.c:1", 100), computes("a.B.d:1", 1), computes("a.B.e:1", 9));
    private static final PinReport COMPUTES =
            computing(
                    computes("a.B.c:1", 150),
                    computes("a.B.d:7", 4),
                    computes("a.B.f:1", 2),
                    new PinReport.BusyPlace(
                            "a.B.g:1", "a.B.g:1", 1, 1000, 1000, List.of())); // too little

    @Test
    void theCodeThatComputesIsComparedAsSitesAre() {
        String table =
                new ComparisonText(perSecond(COMPUTED, COMPUTES), "old.json", "new.json").render();

        assertThat(table.substring(table.indexOf("\n\n") + 2))
                .isEqualTo(
                        """
                              growth          old          new         busy: code that computes without unmounting
                            +50.0 ms     100.0 ms     150.0 ms         a.Caller.run:9, in a.B.c:1
                             +3.0 ms       1.0 ms       4.0 ms  moved  a.Caller.run:9, in a.B.d:7
                             +2.0 ms            -       2.0 ms  new    a.Caller.run:9, in a.B.f:1
                             -9.0 ms       9.0 ms            -  gone   a.Caller.run:9, in a.B.e:1
                        """);
    }

    @Test
    void jsonHasAllTheCodeThatComputes() throws BadJsonException {
        String json =
                new ComparisonJson(perSecond(COMPUTED, COMPUTES), "old.json", "new.json", null)
                        .render();

        assertThat(
                        JsonFields.parse(json)
                                .objects(
                                        "busy", row -> row.text("status") + " " + row.text("site")))
                .containsExactly(
                        "same a.B.c:1",
                        "moved a.B.d:7",
                        "new a.B.f:1",
                        "new a.B.g:1",
                        "gone a.B.e:1");
        JsonFields first = JsonFields.parse(json).objects("busy", row -> row).getFirst();
        assertThat(first.decimal("growthNanosPer")).isEqualTo(50 * MILLI);
        assertThat(first.object("old").number("busyNanos")).isEqualTo(100 * MILLI);
        assertThat(first.object("new").decimal("busyNanosPer")).isEqualTo(150 * MILLI);
        assertThat(first.object("new").number("count")).isEqualTo(3);
    }

    @Test
    void whatOneRunHasNotMeasuredIsNotNew() {
        assertThat(perSecond(Reports.of(SECOND), COMPUTES).busy().rows()).isEmpty();
        assertThat(perSecond(COMPUTED, Reports.of(SECOND)).busy().rows()).isEmpty();
    }
}
