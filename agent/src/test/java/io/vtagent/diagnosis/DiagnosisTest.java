package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis.CarrierState;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    @Test
    void aStackThatManyShareIsReportedOnce() {
        List<String> shared =
                List.of("java.lang.Thread.sleep", "Service.call  <== monitor: Service");
        List<String> other = List.of("Service.other");
        Diagnosis diagnosis =
                overload(1, held(1, shared), held(2, other), held(3, shared), held(4, List.of()));

        assertThat(diagnosis.inWords().lines().map(String::strip))
                .containsExactly(
                        "Overload.",
                        "ready to run, without a carrier: 1",
                        "carrier-1 carries #1: park for 5 ms",
                        "java.lang.Thread.sleep",
                        "Service.call  <== monitor: Service",
                        "carrier-2 carries #2: park for 5 ms",
                        "Service.other",
                        "carrier-3 carries #3: park for 5 ms",
                        "the same stack as carrier-1",
                        "carrier-4 carries #4: park for 5 ms");
    }

    @Test
    void locksAndTheirQueuesAreReported() {
        Diagnosis diagnosis =
                new Diagnosis(
                        "Stuck.",
                        false,
                        "relief=stuck would help",
                        List.of(
                                new Diagnosis.Link("#1", "Lock@1", "Lock@2"),
                                new Diagnosis.Link("#2", "Lock@2", "Lock@1")),
                        1,
                        2,
                        3,
                        List.of("#7", "#8"),
                        List.of(
                                new CarrierState(
                                        "carrier-1",
                                        "#1",
                                        "waiting",
                                        "Lock@1",
                                        "#9",
                                        List.of("A.a")),
                                new CarrierState(
                                        "carrier-2", "#2", "waiting", "Lock@2", null, List.of())),
                        List.of(
                                new Diagnosis.Lock("Lock@1", "#9", List.of("#1", "#3")),
                                new Diagnosis.Lock("Lock@2", null, List.of())));

        assertThat(diagnosis.inWords())
                .isEqualTo(
                        """
                        Stuck.
                          #1 has Lock@1, and waits for Lock@2
                          #2 has Lock@2, and waits for Lock@1
                          Lock@1: is owned by #9; in its queue: #1, #3
                          Lock@2: has no owner; in its queue: no thread
                          ready to run, without a carrier: 3 (#7, #8)
                          carrier-1 carries #1: waiting, waits for Lock@1, which #9 has
                              A.a
                          carrier-2 carries #2: waiting, waits for Lock@2
                          relief=stuck would help\
                        """);
        assertThat(diagnosis.inBrief()).isEqualTo(diagnosis.inWords());
    }

    @Test
    void anEmptyQueueHasNoLine() {
        assertThat(overload(0).inWords()).isEqualTo("Overload.");
    }

    private static Diagnosis overload(long queued, CarrierState... held) {
        return new Diagnosis(
                "Overload.",
                true,
                null,
                List.of(),
                1,
                4,
                queued,
                List.of(),
                List.of(held),
                List.of());
    }

    @Test
    void inBriefEightCarriersAndSixtyFourFramesAreReported() {
        List<CarrierState> nine =
                IntStream.range(0, 9)
                        .mapToObj(
                                number ->
                                        held(
                                                number,
                                                IntStream.range(0, 65)
                                                        .mapToObj(frame -> number + "." + frame)
                                                        .toList()))
                        .toList();
        Diagnosis diagnosis =
                new Diagnosis(
                        "Overload.", true, null, List.of(), 1, 9, 1, List.of(), nine, List.of());

        assertThat(diagnosis.inBrief())
                .contains("carrier-7 carries", "7.63")
                .doesNotContain("carrier-8", "7.64")
                .endsWith("\n  and 1 more, see /api/report");
        assertThat(diagnosis.inWords())
                .contains("carrier-8 carries", "8.64")
                .doesNotContain("more, see");
    }

    private static CarrierState held(int number, List<String> stack) {
        return new CarrierState(
                "carrier-" + number, "#" + number, "park for 5 ms", null, null, stack);
    }
}
