package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class LimitsTest {
    /** A site with 1 % of four carriers for ten seconds. */
    private static final Held SITE =
            site(
                    new PinSite(
                            "java.io.Reader.read:9",
                            "com.acme.Cart$Item.add:12",
                            "java.io.Reader.read",
                            PinKind.IO),
                    8,
                    400 * MILLI,
                    90 * MILLI);

    private static final PinReport REPORT = Reports.of(10 * SECOND, SITE);

    @ParameterizedTest
    @CsvSource({"1%, true", "0.99%, false", "0%, false", "100%, true"})
    void soMuchMayBeLost(String share, boolean passes) {
        assertThat(Limits.parse(share, null, null, List.of()).violatedBy(REPORT).isEmpty())
                .isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({"3s, true", "2999ms, false", "0, false"})
    void soLongMayOthersWait(String waiting, boolean passes) {
        Held held =
                new Held(
                        SITE.site(),
                        SITE.figures(),
                        3 * SECOND,
                        SITE.stack(),
                        SITE.advice(),
                        SITE.onUpgrade());
        assertThat(
                        Limits.parse(null, waiting, null, List.of())
                                .violatedBy(Reports.of(10 * SECOND, held)))
                .extracting(Finding::what)
                .isEqualTo(
                        passes
                                ? List.of()
                                : List.of(
                                        "virtual threads waited for held carriers for 3.00 s in"
                                                + " all, 3.00 s of it because of"
                                                + " com.acme.Cart$Item.add:12, in"
                                                + " java.io.Reader.read:9 (io)"));
    }

    @ParameterizedTest
    @CsvSource({"90ms, true", "89ms, false", "0, false"})
    void soLongMayAPinLast(String longest, boolean passes) {
        assertThat(Limits.parse(null, null, longest, List.of()).violatedBy(REPORT).isEmpty())
                .isEqualTo(passes);
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme, false",
        "com.acme., false",
        "com.acme.*, false",
        "com.acme.Cart, false",
        "com.acme.Cart$Item, false",
        "com.acme.Cart$Item.add, false",
        "com.acme.Cart$Item.add:12, false",
        "java.io, false",
        "com.acm, true",
        "com.acme.Car, true",
        "com.acme.Cart$Item.add:1, true",
        "acme, true",
        "java.io.Reader.read:99, true",
    })
    void aPrefixEndsWhereANameDoes(String prefix, boolean passes) {
        assertThat(Limits.parse(null, null, null, List.of(prefix)).violatedBy(REPORT).isEmpty())
                .isEqualTo(passes);
    }

    @Test
    void whatTheJvmItselfMakesWaitIsAtNoSiteOfAnybodys() {
        Held held =
                site(
                        new PinSite(
                                "com.acme.Cart.add:12",
                                "com.acme.Cart.add:12",
                                "com.acme.Cart.add",
                                PinKind.JVM),
                        8,
                        400 * MILLI,
                        90 * MILLI);
        PinReport report = Reports.of(10 * SECOND, held);

        assertThat(Limits.parse(null, null, null, List.of("com.acme")).violatedBy(report))
                .isEmpty();
        assertThat(Limits.parse(null, null, "50ms", List.of()).violatedBy(report)).hasSize(1);
    }

    @Test
    void allThatFailedIsReported() {
        assertThat(
                        Limits.parse("0.5%", null, "50ms", List.of("org", "com.acme"))
                                .violatedBy(REPORT))
                .extracting(Finding::limit, Finding::what)
                .map(Object::toString)
                .containsExactly(
                        "(\"--max-share 0.50 %\", \"1.0 % of the scheduler's time was lost to held"
                                + " carriers, 400.0 ms by 8 pins\")",
                        "(\"--max-longest 50.0 ms\", \"a carrier was held for 90.0 ms at"
                                + " com.acme.Cart$Item.add:12, in java.io.Reader.read:9 (io)\")",
                        "(\"--no-site com.acme\", \"8 pins for 400.0 ms at"
                                + " com.acme.Cart$Item.add:12, in java.io.Reader.read:9 (io)\")");
    }

    @Test
    void aShareOfNobodyKnowsHowManyCarriersDoesNotPass() {
        PinReport unknown =
                new PinReport(
                        REPORT.jvm(),
                        REPORT.uptimeNanos(),
                        REPORT.totals(),
                        REPORT.sites(),
                        PinReport.Rare.NONE,
                        REPORT.inProgress(),
                        PinReport.CarrierTime.NONE,
                        REPORT.forecast(),
                        REPORT.starved(),
                        REPORT.delayed(),
                        REPORT.relieved(),
                        PinReport.Scheduler.UNKNOWN,
                        List.of());

        assertThatThrownBy(() -> Limits.parse("1%", null, null, List.of()).violatedBy(unknown))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("--max-share cannot be checked");
    }

    @Test
    void nothingToCheckIsReported() {
        assertThatThrownBy(() -> Limits.parse(null, null, null, List.of()))
                .isInstanceOf(BadInputException.class)
                .hasMessage(
                        "there is nothing to check, expected --max-share, --max-waiting,"
                                + " --max-longest or --no-site");
    }

    @ParameterizedTest
    @ValueSource(strings = {"1", "-1%", "1.%", "%", "NaN%", "1e3%"})
    void whatIsNoPercentageIsReported(String share) {
        assertThatThrownBy(() -> Limits.parse(share, null, null, List.of()))
                .isInstanceOf(BadInputException.class)
                .hasMessage("--max-share is \"" + share + "\", expected a percentage such as 1%");
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "*", ".", "..."})
    void aPrefixOfAllIsNone(String prefix) {
        assertThatThrownBy(() -> Limits.parse(null, null, null, List.of(prefix)))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("--no-site is \"" + prefix + "\"");
    }
}
