package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.json.BadJsonException;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.report.JsonReport.Detail;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

class JsonReportReaderTest {
    static Stream<PinReport> reports() {
        return Stream.of(
                FullReport.everything(),
                FullReport.withoutMonitorPins(),
                FullReport.with(PinReport.Starved.NEVER),
                FullReport.withoutPins(ActivePinTotals.NONE, FullReport.STARVED),
                FullReport.withoutPins(FullReport.DELAYED));
    }

    @ParameterizedTest
    @MethodSource("reports")
    void whatIsReadIsWrittenAsItWas(PinReport report) throws BadJsonException {
        String json = JsonReport.render(report, Detail.ALL);
        PinReport read = JsonReportReader.read(json);

        assertThat(JsonReport.render(read, Detail.ALL)).isEqualTo(json);
        assertThat(TextReport.render(read)).isEqualTo(TextReport.render(report));
    }

    @Test
    void withoutStacksTheRestIsThere() throws BadJsonException {
        String json = JsonReport.render(FullReport.everything(), Detail.NO_STACKS);

        assertThat(JsonReport.render(JsonReportReader.read(json), Detail.NO_STACKS))
                .isEqualTo(json);
    }

    /** The first version had no lost time, and a share of the held time that could exceed 1. */
    @Test
    void ofVersion1TheLostTimeIsThatOfPinsThatWereNotCompensatedFor() throws BadJsonException {
        String json =
                JsonReport.render(FullReport.everything(), Detail.ALL)
                        .replace("\"version\":2", "\"version\":1")
                        .replaceFirst("\"lostNanos\":\\d+,\"lostShare\":0.1", "\"heldShare\":1.5")
                        .replaceFirst("\"answer\":\\{.*?}},", "")
                        .replaceFirst(",\"time\":\\{[^}]*}", "")
                        .replaceFirst(
                                "\"waiting\":\\{[^}]*},\"throttledNanos\":\\d+,\"pausedNanos\":\\d+,",
                                "")
                        .replaceAll("\"waitingNanos\":\\d+,", "");
        assertThat(json).doesNotContain("lost", "waiting", "throttled");

        PinReport read = JsonReportReader.read(json);

        assertThat(read.carriers())
                .isEqualTo(new PinReport.CarrierTime(0, 0, 0, 0, 1_500_000_000, 0, 0, 0, 0));
        assertThat(read.lostShare()).isEqualTo(0.075);
        assertThat(read.sites()).extracting(PinReport.Held::waitedNanos).containsOnly(0L);
    }

    @Test
    void aReportOfBeforeBusyCarriersWereMeasuredHasNone() throws BadJsonException {
        String json =
                JsonReport.render(FullReport.everything().with(PinReport.Busy.OFF), Detail.ALL);

        assertThat(json).doesNotContain("\"busy\"");
        assertThat(JsonReportReader.read(json).busy()).isEqualTo(PinReport.Busy.OFF);
    }

    @Test
    void durationsAreReadAsTheyWere() throws BadJsonException {
        PinReport report = FullReport.everything();

        assertThat(JsonReportReader.read(JsonReport.render(report, Detail.ALL)).sites())
                .extracting(site -> site.figures().durations())
                .containsExactlyElementsOf(
                        report.sites().stream().map(site -> site.figures().durations()).toList());
    }

    @Test
    void durationsThatAreMissingOrHaveOtherBoundsAreNone() throws BadJsonException {
        String json = JsonReport.render(FullReport.everything(), Detail.ALL);
        String without =
                json.replaceAll("\"durations\":\\[[0-9,]*],", "")
                        .replaceFirst("\"durationBoundsNanos\":\\[[0-9,]*],", "");
        String other =
                json.replace("\"durationBoundsNanos\":[100000,", "\"durationBoundsNanos\":[7,");
        assertThat(without).doesNotContain("duration");

        for (String report : List.of(without, other)) {
            PinReport read = JsonReportReader.read(report);
            assertThat(read.sites())
                    .hasSize(FullReport.SITES.size())
                    .extracting(site -> site.figures().durations())
                    .containsOnly(DurationCounts.NONE);
            assertThat(read.sites()).extracting(site -> site.figures().count()).contains(3L, 1L);
            assertThat(JsonReport.render(read, Detail.ALL)).doesNotContain("\"durations\"");
            assertThat(TextReport.render(read)).doesNotContain("durations");
        }
    }

    @Test
    void aFieldThatItDoesNotKnowIsLeftAlone() throws BadJsonException {
        String json = JsonReport.render(FullReport.everything(), Detail.ALL);

        assertThat(JsonReportReader.read(json.replaceFirst("\\{", "{\"later\":{\"x\":[1]},")))
                .isEqualTo(JsonReportReader.read(json));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            textBlock =
                    """
                    "version":2 | "version":3 | it is a report of version 3, of a newer vt-agent than this one, which reads version 2
                    "version":2 | "ver":2 | it is not a report of vt-agent
                    "uptimeNanos":10000000000 | "uptimeNanos":"long" | "uptimeNanos" is not a whole number
                    "uptimeNanos":10000000000 | "uptimeNanos":1.5 | "uptimeNanos" is not a whole number
                    "java":"21.0.8" | "java":21 | "java" is not a text
                    "carriers":true | "carriers":"yes" | "carriers" is neither true nor false
                    "java":"21.0.8" | "jav":"21.0.8" | "java" is missing
                    "kind":"park" | "kind":"parked" | "parked" is nothing that this vt-agent knows
                    "frame":1 | "frame":99 | "frame" is not one of the stack's
                    "frame":1 | "frame":-1 | "frame" is not one of the stack's
                    "holderIndex":1 | "holderIndex":9999999999 | "holderIndex" is too large a number
                    "durations":[0 | "durations":["0" | "durations" has an element that is not a whole number
                    "durations":[0 | "durations":[99999999999999999999 | "durations" has an element that is not a whole number
                    "durations":[0 | "durations":[0,0,0,0,0,0,0,0 | "durations" has more elements than there are buckets
                    "durationBoundsNanos":[ | "durationBoundsNanos":{},"was":[ | "durationBoundsNanos" is not an array
                    "sites":[{ | "sites":[7,{ | "sites" has an element that is not an object
                    "stack":["java.base | "stack":[7,"java.base | "stack" has an element that is not a text
                    "scheduler":{ | "scheduler":7,"was":{ | "scheduler" is not an object
                    {"version" | ["version" | it is not a JSON object
                    """)
    void whatIsWrongWithATextIsReported(String right, String wrong, String sentence) {
        String json = JsonReport.render(FullReport.everything(), Detail.ALL);
        assertThat(json).contains(right);

        assertThatThrownBy(() -> JsonReportReader.read(json.replace(right, wrong)))
                .isInstanceOf(BadJsonException.class)
                .hasMessage(sentence);
    }

    @Test
    void whatIsNestedWithoutEndIsNoReport() {
        assertThatThrownBy(() -> JsonReportReader.read("[".repeat(1_000_000)))
                .isInstanceOf(BadJsonException.class);
        assertThatThrownBy(() -> JsonReportReader.read("{\"a\":".repeat(1_000_000)))
                .isInstanceOf(BadJsonException.class);
    }
}
