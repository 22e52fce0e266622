package io.vtagent.exporter.history;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import io.vtagent.json.JsonText;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

class HistoryTest {
    private static final PinSite A = site("shop.A.a:1", PinKind.PARK);
    private static final PinSite B = site("shop.B.b:2", PinKind.IO);
    private static final PinSite C = site("shop.C.c:3", PinKind.WAIT);

    private long currentMillis = 1_700_000_000_000L;
    private final History history = new History("7c0ffee", () -> currentMillis);

    @Test
    void aSecondContainsHowManyCarriersWereHeldOnAverageByKind() {
        add(at(1_000).held(A, 1, 0));
        add(at(2_000).held(A, 2, 1_500).held(B, 1, 250));
        add(at(3_000).held(A, 2, 1_500).held(B, 2, 350));

        assertThat(column("held_park")).containsExactly(1_500, 0);
        assertThat(column("held_io")).containsExactly(250, 100);
        assertThat(column("held_wait")).containsExactly(0, 0);
        assertThat(json(0).get("first").getAsLong()).isEqualTo(1);
    }

    @Test
    void itsBeginningIsTheSameForEveryReaderUntilTheClockIsSet() {
        add(at(2_000));
        currentMillis += 1_900;
        add(at(3_000)); // read late

        assertThat(json(0).get("beganMillis").getAsLong()).isEqualTo(1_699_999_998_000L);

        currentMillis += 3_600_000;
        add(at(4_000));

        assertThat(json(0).get("beganMillis").getAsLong()).isEqualTo(1_700_003_597_900L);
    }

    @Test
    void theMeanIsOfTheTimeThatPassedAndNotOfASecond() {
        add(at(1_000));
        add(at(2_500).held(A, 1, 1_500));

        assertThat(column("held_park")).containsExactly(1_000);
    }

    @Test
    void secondsThatWereMissedAreTakenForLikeTheNext() {
        add(at(1_000));
        add(at(5_000).held(A, 1, 2_000));

        assertThat(column("held_park")).containsExactly(500, 500, 500, 500);
    }

    @Test
    void aQuietTimeStaysQuietWhateverComesAfterIt() {
        add(at(1_000).held(A, 1, 500));
        PinReport quiet = Objects.requireNonNull(history.newest());
        history.add(quiet.later(TimeUnit.SECONDS.toNanos(4)));
        add(at(5_000).held(A, 1, 1_400));

        assertThat(column("held_park")).containsExactly(0, 0, 0, 900);
    }

    @Test
    void twoRequestsInASecondChangeNothing() {
        add(at(1_000));
        add(at(2_000).held(A, 1, 400));
        PinReport newest = history.newest();
        add(at(2_900).held(A, 1, 1_300));

        assertThat(history.newest()).isSameAs(newest);
        add(at(3_000).held(A, 1, 1_400));

        assertThat(column("held_park")).containsExactly(400, 1_000);
    }

    /**
     * A request makes its report. Before it adds the report, a second passes and the next one is
     * published.
     */
    @Test
    void aLateRequestChangesNothing() {
        add(at(1_000));
        add(at(2_000).held(A, 1, 500));
        add(at(1_500).held(A, 1, 100));
        add(at(3_000).held(A, 1, 600));

        assertThat(column("held_park")).containsExactly(500, 100);
    }

    /** A pin in progress turned out not to be one. */
    @Test
    void whatDecreasesIsNotLessThanNothing() {
        add(at(9_000).held(A, 1, 0));
        add(at(10_000).held(A, 1, 900));
        add(at(11_000).held(A, 2, 500));
        add(at(20_000).held(A, 2, 500));

        assertThat(column("held_park").subList(0, 2)).containsExactly(900, 0);
        assertThat(history.heldMicros(0, 10)).isEqualTo(Map.of(A, 900_000L));
        assertThat(history.heldMicros(10, 20)).isEqualTo(Map.of(A, 0L));
    }

    /**
     * An example is a wait for a class, which the JVM reports up to some seconds after it has
     * ended.
     */
    @Test
    void whatIsNotCountedForAMomentDoesNotCountTwice() {
        add(at(1_000));
        add(at(2_000).inProgress(A, 1, 900));
        add(at(3_000));
        add(at(4_000).held(A, 1, 100));
        add(at(5_000).held(A, 1, 1_200));

        assertThat(column("held_park")).containsExactly(900, 0, 0, 300);
    }

    @Test
    void whatComesAfterAnIdlePeriodIsOfTheSecondsAfterIt() {
        add(at(1_000).held(A, 1, 500));
        history.idleUntil(TimeUnit.SECONDS.toNanos(4));
        add(at(5_000).held(A, 2, 1_300));
        history.idleUntil(TimeUnit.MILLISECONDS.toNanos(5_500));
        add(at(6_000).held(A, 2, 1_300));

        assertThat(column("held_park")).containsExactly(0, 0, 0, 800, 0);
    }

    @Test
    void theCarriersTimeIsTheMeanOverTheSecond() {
        add(at(1_000).carriers(100, 200, 300, 400, 50));
        add(at(2_000).carriers(1_100, 700, 300, 650, 550));
        add(at(4_000).carriers(1_100, 700, 500, 4_450, 550));

        assertThat(column("time_held")).containsExactly(1_000, 0, 0);
        assertThat(column("time_running")).containsExactly(500, 0, 0);
        assertThat(column("time_runnable")).containsExactly(0, 100, 100);
        assertThat(column("time_idle")).containsExactly(250, 1_900, 1_900);
        assertThat(column("lost")).containsExactly(500, 0, 0);
    }

    @Test
    void theSchedulerIsAsItWasAtTheEndOfTheSecond() {
        add(at(1_000));
        add(at(2_000).scheduler(4, 7).delayed(2, 3_000, 0).starved(250).relieved(1));
        add(at(3_000).scheduler(5, 0).delayed(2, 3_000, 9_000).starved(1_250).relieved(4));
        add(at(4_000).scheduler(5, 0).delayed(2, 3_000, 0).starved(1_250).relieved(4));

        assertThat(column("carriers")).containsExactly(4, 5, 5);
        assertThat(column("queued")).containsExactly(7, 0, 0);
        assertThat(column("delay")).containsExactly(1_500, 9_000, 0);
        assertThat(column("starved")).containsExactly(250, 1_000, 0);
        assertThat(column("added")).containsExactly(1, 3, 0);
    }

    @Test
    void anHourIsKept() {
        for (int second = 1; second <= History.SECONDS + 101; second++) {
            add(at(second * 1_000L).held(A, 1, second * 10L));
        }

        assertThat(json(0).get("first").getAsLong()).isEqualTo(101);
        assertThat(column("held_park")).hasSize(History.SECONDS).containsOnly(10);
        assertThat(history.heldMicros(0, Long.MAX_VALUE).get(A))
                .isBetween(3_590L * 10_000, 3_620L * 10_000);
    }

    @Test
    void aPeriodIsRoundedOutToWholeSlices() {
        for (int second = 1; second <= 40; second++) {
            add(at(second * 1_000L).held(A, second, second * 100L));
        }

        assertThat(history.heldMicros(10, 20)).isEqualTo(Map.of(A, 1_000_000L));
        assertThat(history.heldMicros(19, 20)).isEqualTo(Map.of(A, 1_000_000L));
        assertThat(history.heldMicros(19, 21)).isEqualTo(Map.of(A, 2_000_000L));
    }

    @Test
    void whatThereWasAtTheBeginningIsOfTheFirstSlice() {
        add(at(1_000).held(A, 1, 700));
        add(at(10_000).held(A, 1, 700));

        assertThat(history.heldMicros(0, 10)).isEqualTo(Map.of(A, 700_000L));
    }

    @Test
    void theSliceThatHasNotEndedCountsAndAPinInProgressWithIt() {
        add(at(1_000));
        add(at(10_000).held(A, 1, 1_000));
        add(at(13_000).inProgress(A, 1, 4_000));

        assertThat(history.heldMicros(10, 14)).isEqualTo(Map.of(A, 3_000_000L));
        assertThat(history.heldMicros(0, 14)).isEqualTo(Map.of(A, 4_000_000L));
        assertThat(history.heldMicros(0, 10)).isEqualTo(Map.of(A, 1_000_000L));
        assertThat(history.heldMicros(20, 30)).as("of the future").isEmpty();
    }

    @Test
    void itIsWrittenWithTheSitesAndTheirSlices() {
        add(at(1_000));
        add(at(10_000).held(A, 2, 1_000));
        add(at(11_000).held(A, 2, 1_000).held(B, 1, 5));

        JsonObject json = json(0);
        assertThat(json.get("sliceSeconds").getAsInt()).isEqualTo(10);
        assertThat(json.get("slices")).hasToString("[[0,0,2,1000000,0]]");
        assertThat(json.get("unfinishedSlice")).hasToString("[10,1,1,5000,0]");
        assertThat(json.get("sites"))
                .hasToString(
                        "[{\"caller\":\"shop.A.a:1\",\"site\":\"shop.A.a:1\",\"operation\":\"op\",\"kind\":\"park\"},"
                            + "{\"caller\":\"shop.B.b:2\",\"site\":\"shop.B.b:2\",\"operation\":\"op\",\"kind\":\"io\"}]");
        assertThat(json(10).get("slices")).hasToString("[]");
        assertThat(json(10).get("first").getAsLong()).isEqualTo(10);
        assertThat(json(99).get("first").getAsLong()).isEqualTo(11);
    }

    @Test
    void theTimeForWhichOthersWaitedIsThatOfTheSlice() {
        add(at(1_000).held(A, 1, 100, 70));
        add(at(10_000).held(A, 2, 200, 90));
        add(at(20_000).held(A, 3, 300, 90).held(B, 1, 5, 8_000));
        // the wait goes on, though the site holds nothing that is counted
        add(at(23_000).held(A, 3, 300, 95).held(B, 1, 5, 8_000));

        JsonObject json = json(0);
        assertThat(json.get("slices").getAsJsonArray().get(0)).hasToString("[0,0,2,200000,90000]");
        assertThat(numbersOf(json.get("slices").getAsJsonArray().get(1), A, B))
                .isEqualTo(
                        Map.of(
                                A, List.of(1L, 100_000L, 0L),
                                B, List.of(1L, 5_000L, 8_000_000L)));
        assertThat(json.get("unfinishedSlice")).hasToString("[20,0,0,0,5000]");
    }

    @Test
    void theDurationsAreThoseOfThePinsThatEndedInTheSlice() {
        add(at(1_000).ended(A, 100, 1, 0, 2));
        add(at(10_000).ended(A, 200, 1, 0, 5));
        add(at(20_000).ended(A, 300, 1, 0, 5, 4).ended(B, 5, 0, 7));
        add(at(22_000).ended(A, 300, 1, 0, 5, 4).ended(B, 5, 0, 7).inProgress(C, 1, 2_000));
        add(at(23_000).ended(A, 301, 2, 0, 5, 4).ended(B, 5, 0, 7).inProgress(C, 1, 3_000));

        JsonObject json = json(0);
        assertThat(json.get("durationSlices").getAsJsonArray().get(0))
                .hasToString("[0,0,0,1,0,2,5]");
        assertThat(json.get("durationSlices").getAsJsonArray().get(1))
                .satisfiesAnyOf(
                        slice -> assertThat(slice).hasToString("[10,0,3,4,1,1,7]"),
                        slice -> assertThat(slice).hasToString("[10,1,1,7,0,3,4]"));
        assertThat(json.get("unfinishedDurationSlice")).hasToString("[20,0,0,1]");
        assertThat(json(10).get("durationSlices").getAsJsonArray()).hasSize(1);
    }

    /** The numbers of each site in a slice, whose sites have no order. */
    private static Map<PinSite, List<Long>> numbersOf(JsonElement slice, PinSite... sites) {
        List<Long> row =
                slice.getAsJsonArray().asList().stream().map(JsonElement::getAsLong).toList();
        Map<PinSite, List<Long>> numbers = new HashMap<>();
        for (int from = 1; from < row.size(); from += 4) {
            numbers.put(sites[row.get(from).intValue()], row.subList(from + 1, from + 4));
        }
        return numbers;
    }

    @Test
    void whatComputedIsWrittenInSlicesOfItsOwn() {
        add(at(1_000).computed("shop.A.a:1", "lib.B.b:2", 3, 400));
        add(at(10_000).computed("shop.A.a:1", "lib.B.b:2", 5, 1_400));
        add(
                at(13_000)
                        .computed("shop.A.a:1", "lib.B.b:2", 5, 1_400)
                        .computed("shop.C.c:3", "shop.C.c:3", 1, 20));

        JsonObject json = json(0);
        assertThat(json.get("busySlices")).hasToString("[[0,0,5,1400000]]");
        assertThat(json.get("unfinishedBusySlice")).hasToString("[10,1,1,20000]");
        assertThat(json.get("busySites"))
                .hasToString(
                        "[{\"caller\":\"shop.A.a:1\",\"site\":\"lib.B.b:2\"},"
                                + "{\"caller\":\"shop.C.c:3\",\"site\":\"shop.C.c:3\"}]");
        assertThat(json.get("slices")).as("it holds nothing").hasToString("[[0]]");
        assertThat(json(10).get("busySlices")).hasToString("[]");
    }

    @Test
    void ofNothingThereIsNothing() {
        assertThat(history.newest()).isNull();
        assertThat(history.heldMicros(0, Long.MAX_VALUE)).isEmpty();
        assertThat(json(0).get("sites")).hasToString("[]");
        assertThat(json(0).get("unfinishedSlice")).hasToString("[0]");
        assertThat(json(0).get("unfinishedDurationSlice")).hasToString("[0]");
        assertThat(column("held_park")).isEmpty();
    }

    @Test
    @Timeout(60)
    void aClientThatWaitsGetsTheNextSecond() throws InterruptedException {
        add(at(1_000));
        CountDownLatch waits = new CountDownLatch(1);
        List<Long> reported = new ArrayList<>();
        Thread reader =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    waits.countDown();
                                    try {
                                        reported.add(
                                                history.await(1, TimeUnit.MINUTES.toMillis(1)));
                                    } catch (InterruptedException interrupted) {
                                        reported.add(-1L);
                                    }
                                });
        waits.await();
        while (!history.isAwaited()) {
            Thread.onSpinWait();
        }
        add(at(2_000));
        add(at(3_000));
        reader.join();

        assertThat(reported).containsExactly(2L);
        assertThat(history.await(2, 1)).as("nothing comes").isEqualTo(2);
        assertThat(history.isAwaited()).isFalse();
    }

    private void add(ReportBuilder measured) {
        history.add(measured.report());
    }

    private static ReportBuilder at(long uptimeMillis) {
        return new ReportBuilder(uptimeMillis);
    }

    private List<Integer> column(String name) {
        List<Integer> values = new ArrayList<>();
        json(0).getAsJsonObject("seconds")
                .getAsJsonArray(name)
                .forEach(value -> values.add(value.getAsInt()));
        return values;
    }

    private JsonObject json(long from) {
        return new Gson()
                .fromJson(JsonText.of(json -> history.write(json, from)), JsonObject.class);
    }

    private static PinSite site(String site, PinKind kind) {
        return new PinSite(site, site, "op", kind);
    }
}
