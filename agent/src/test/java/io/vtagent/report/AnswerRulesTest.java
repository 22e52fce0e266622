package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.Answer.Kind;
import io.vtagent.report.AnswerFacts.Deadlock;
import io.vtagent.report.AnswerFacts.Place;
import io.vtagent.report.AnswerFacts.Purpose;
import io.vtagent.report.PinReport.CarrierTime;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A period of 10 s with two carriers. */
class AnswerRulesTest {
    private static final long SECOND = 1_000_000_000;

    private static final CarrierTime IDLE = time(0, 1, 0, 0, 0, 0, 0);

    /** Half of the scheduler was lost, and ten threads waited for that. */
    private static final CarrierTime HELD = time(10, 1, 0, 10, 100, 0, 0);

    private static final CarrierTime BUSY = time(0, 19, 0, 0, 0, 480, 0);
    private static final CarrierTime THROTTLED = time(0, 1, 0, 0, 0, 0, 4);

    private static final Place POOL =
            new Place(
                    "shop.Pool.borrow:7",
                    "parked (Semaphore)",
                    Purpose.BLOCKED,
                    495,
                    500,
                    4 * SECOND);

    private static final Diagnosis STUCK =
            new Diagnosis(
                    "Deadlock: `a` waits for `b`.",
                    false,
                    "relief=stuck would help",
                    List.of(),
                    6 * SECOND,
                    2,
                    7,
                    List.of(),
                    List.of(),
                    List.of());

    @Test
    void nothingIsWrong() {
        Answer answer = answer(FullReport.withoutPins(PinReport.Delayed.OFF), IDLE);

        assertThat(answer.kind()).isEqualTo(Kind.NOTHING);
        assertThat(answer.text()).startsWith("Not pinning: no virtual thread held its carrier");
        assertThat(answer.line()).isNull();
        assertThat(answer.advice()).isNull();
    }

    @Test
    void withoutSensorsTheAnswerReportsThatPinsMayBeMissing() {
        assertThat(answer(FullReport.withoutPins(PinReport.Delayed.OFF), IDLE).text())
                .endsWith("Pins may be missing, because these sensors do not work: io.");
    }

    @Test
    void whereNoVirtualThreadRanTheAnswerIsThat() {
        PinReport report = FullReport.withoutPins(PinReport.Delayed.OFF).with(IDLE);

        Answer answer =
                AnswerRules.answer(new AnswerFacts(report, false, 2, AnswerFacts.Threads.UNKNOWN));

        assertThat(answer.text()).startsWith("Not pinning: no virtual thread ran.");
    }

    @Test
    void heldCarriersThatMadeThreadsWaitComeWithTheirLine() {
        Answer answer = answer(pins(), HELD);

        assertThat(answer.kind()).isEqualTo(Kind.HELD);
        assertThat(answer.line()).isEqualTo("shop.Cache.<init>:28");
        assertThat(answer.text())
                .startsWith("Pinning: ")
                .contains("100.0 s in all", "50.0 % of the scheduler", "JDK 24 removes this pin");
        assertThat(answer.evidence())
                .containsEntry("lostShare", 0.5)
                .containsEntry("waitedForHeldSeconds", 100.0);
    }

    @Test
    void theEvidenceIsInSecondsAndOfTheSchedulersTime() {
        CarrierTime time =
                new CarrierTime(
                        SECOND,
                        2 * SECOND,
                        3 * SECOND,
                        4 * SECOND,
                        5 * SECOND,
                        6 * SECOND,
                        7 * SECOND,
                        8 * SECOND,
                        9 * SECOND);
        PinReport report = pins();

        assertThat(answer(report, time).evidence())
                .isEqualTo(
                        Map.of(
                                "periodSeconds", 10.0,
                                "heldSeconds", report.nanos() / 1e9,
                                "lostShare", 0.25,
                                "waitedForHeldSeconds", 6.0,
                                "waitedForBusySeconds", 7.0,
                                "runningSeconds", 2.0,
                                "runnableSeconds", 3.0,
                                "idleSeconds", 4.0,
                                "throttledSeconds", 8.0,
                                "pausedSeconds", 9.0));
    }

    /** A JVM may end while a sensor starts. */
    @Test
    void aSensorThatStartsIsNotMissingInTheFirstSeconds() {
        assertThat(answer(whereJfrStarts(3), IDLE).text()).doesNotContain("sensors");
        assertThat(answer(whereJfrStarts(30), IDLE).text())
                .endsWith("Pins may be missing, because these sensors do not work: vm.");
    }

    private static PinReport whereJfrStarts(long seconds) {
        return new PinReport(
                new PinReport.Jvm(
                        "1", "25", true, false, false, Map.of("vm", Sensors.NOT_BEGUN_YET)),
                seconds * SECOND,
                List.of(),
                List.of(),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                CarrierTime.NONE,
                new Forecast(0, 0, 0, List.of()),
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                FullReport.SCHEDULER,
                List.of());
    }

    @Test
    void pausesOfTheJvmComeBeforeWhatVirtualThreadsDo() {
        Answer answer = answer(pins(), time(0, 8, 8, 0, 0, 30, 0, 2.5));

        assertThat(answer.kind()).isEqualTo(Kind.PAUSED);
        assertThat(answer.text())
                .isEqualTo(
                        "Not pinning: the JVM paused all threads for 2.50 s in 10.00 s, for example"
                                + " to collect garbage.");
        assertThat(answer.evidence()).containsEntry("pausedSeconds", 2.5);
        assertThat(answer(pins(), time(0, 8, 8, 0, 0, 30, 0, 1.5)).kind()).isEqualTo(Kind.BUSY);
    }

    @Test
    void heldCarriersThatNobodyWaitedForAreHarmless() {
        Answer answer = answer(pins(), time(10, 1, 0, 0, 0.05, 0, 0));

        assertThat(answer.kind()).isEqualTo(Kind.HARMLESS);
        assertThat(answer.text()).startsWith("Pinning, but harmless: ");
    }

    @Test
    void aStartOfAJvmThatLosesAPartInAThousandIsNoReason() {
        assertThat(answer(pins(), time(0.05, 1, 0, 0.05, 1.4, 0, 0)).kind())
                .isEqualTo(Kind.HARMLESS);
    }

    @Test
    void aShortOutageInALongRunIsOne() {
        assertThat(answer(pins(), time(0.05, 1, 0, 0.05, 28, 0, 0)).kind()).isEqualTo(Kind.HELD);
    }

    @Test
    void threadsThatWaitedForHeldCarriersWithoutAPinDidNotWaitForPins() {
        Answer answer =
                answer(FullReport.withoutPins(PinReport.Delayed.OFF), time(0, 1, 0, 0, 28, 0, 0));

        assertThat(answer.kind()).isEqualTo(Kind.NOTHING);
    }

    @Test
    void pinsWithoutAStackHaveNoLine() {
        PinReport.Held unattributed =
                new PinReport.Held(
                        new PinSite("(unattributed)", "(unattributed)", "park", PinKind.PARK),
                        new PinReport.Figures(9, 9 * SECOND, SECOND, ActivePinTotals.NONE),
                        100 * SECOND,
                        null,
                        "look",
                        Forecast.OfSite.UNKNOWN);

        Answer answer = answer(FullReport.withSites(List.of(unattributed)), HELD);

        assertThat(answer.kind()).isEqualTo(Kind.HELD);
        assertThat(answer.line()).isNull();
        assertThat(answer.text()).endsWith("50.0 % of the scheduler was lost.");
    }

    @Test
    void aFewPinsAreNotTheReasonWhereCarriersCompute() {
        Answer answer = answer(pins(), time(0.2, 19, 0, 0.2, 5, 480, 0));

        assertThat(answer.kind()).isEqualTo(Kind.BUSY);
    }

    @Test
    void theQuotaComesBeforeTheComputing() {
        assertThat(answer(pins(), THROTTLED).kind()).isEqualTo(Kind.THROTTLED);
        assertThat(answer(pins(), time(0, 19, 0, 0, 0, 480, 0.6)).kind()).isEqualTo(Kind.THROTTLED);
        assertThat(answer(pins(), time(0, 19, 0, 0, 0, 480, 0.4)).kind()).isEqualTo(Kind.BUSY);
    }

    @Test
    void busyCarriersComeWithTheLineThatComputes() {
        Answer answer = answer(pins(), BUSY, List.of(POOL), "shop.Pool.spin:9");

        assertThat(answer.kind()).isEqualTo(Kind.BUSY);
        assertThat(answer.line()).isEqualTo("shop.Pool.spin:9");
        assertThat(answer.text())
                .startsWith("Not pinning: the carriers were busy.")
                .contains("95.0 % of the time", "48.0 virtual threads", "shop.Pool.spin:9")
                .doesNotContain("no CPU");
    }

    @Test
    void aLineThatIsNotKnownIsNotNamed() {
        PinReport.BusyPlace unknown =
                new PinReport.BusyPlace(
                        "(unattributed)", "(unattributed)", 9, 15 * SECOND, SECOND, List.of());
        PinReport report = pins().with(new PinReport.Busy(true, 2, List.of(unknown)));

        Answer answer = answer(report, BUSY);

        assertThat(answer.kind()).isEqualTo(Kind.BUSY);
        assertThat(answer.line()).isNull();
        assertThat(answer.text()).doesNotContain("unattributed");
    }

    /** One short spell counts for those that no sample hit. */
    @Test
    void aLineThatWasSampledTooRarelyIsNotNamedEither() {
        PinReport.BusyPlace once = busy(1, 12_000_000);
        PinReport.BusyPlace often = busy(3, 12_000_000);

        assertThat(answer(with(once), BUSY).line()).isNull();
        assertThat(answer(with(often), BUSY).line()).isEqualTo("shop.Sum.add:1");
        assertThat(answer(with(once), BUSY, List.of(), "shop.Spin.run:1").line())
                .isEqualTo("shop.Spin.run:1");
    }

    private static PinReport.BusyPlace busy(long spells, long longestNanos) {
        return new PinReport.BusyPlace(
                "shop.Sum.add:1",
                "shop.Sum.add:1",
                spells,
                15 * SECOND,
                longestNanos,
                List.of("shop.Sum.add(Sum.java:1)"));
    }

    private static PinReport with(PinReport.BusyPlace place) {
        return pins().with(new PinReport.Busy(true, 2, List.of(place)));
    }

    @Test
    void carriersThatWereNotBusyAllTheTimeWereSoAtTimes() {
        Answer answer = answer(pins(), time(0, 2, 0, 0, 0, 480, 0));

        assertThat(answer.kind()).isEqualTo(Kind.BUSY);
        assertThat(answer.text())
                .startsWith("Not pinning: the carriers were busy at times. They had work for 10.0");
    }

    @Test
    void carriersWithoutACpuAreMentioned() {
        assertThat(answer(pins(), time(0, 9, 10, 0, 0, 480, 0)).text())
                .contains("For 52.6 % of that time they had no CPU");
    }

    @Test
    void aLoadThatTheCarriersManageIsNotBusy() {
        assertThat(answer(pins(), time(0, 14, 0, 0, 0, 19, 0)).kind()).isEqualTo(Kind.HARMLESS);
    }

    @Test
    void threadsThatStandAtOneLineWait() {
        Answer answer = answer(pins(), IDLE, List.of(POOL), null);

        assertThat(answer.kind()).isEqualTo(Kind.WAITING);
        assertThat(answer.line()).isEqualTo("shop.Pool.borrow:7");
        assertThat(answer.text())
                .startsWith(
                        "Not pinning: 495 of 500 virtual threads are parked (Semaphore) at"
                                + " shop.Pool.borrow:7, some of them also 4.00 s before.")
                .contains("Carriers were available for 95.0 % of the time");
        assertThat(answer.evidence()).containsEntry("threadsAtLine", 495.0);
    }

    @Test
    void threadsThatHaveJustArrivedDoNotWait() {
        Place justNow =
                new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 495, 500, SECOND / 2);

        CarrierTime working = time(0, 13, 0, 0, 0, 0, 0);
        assertThat(answer(pins(), working, List.of(justNow), null).kind()).isEqualTo(Kind.HARMLESS);
    }

    @Test
    void whereCarriersAreAvailableMostThreadsWaitHoweverLongEachDoes() {
        Place unknown = new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 250, 500, 0);

        Answer answer = answer(pins(), IDLE, List.of(unknown), null);

        assertThat(answer.kind()).isEqualTo(Kind.WAITING);
        assertThat(answer.text()).doesNotContain("before");
    }

    @Test
    void carriersAreAvailableBeforeTheyAreStarted() {
        CarrierTime late = new CarrierTime(0, SECOND, 0, 8 * SECOND, 0, 0, 0, 0, 0);
        Place unknown = new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 250, 500, 0);

        Answer answer = answer(pins(), late, List.of(unknown), null);

        assertThat(answer.kind()).isEqualTo(Kind.WAITING);
        assertThat(answer.text()).contains("available for 95.0 % of the time");
    }

    @Test
    void aFewThreadsAtOneLineExplainNothing() {
        Place few = new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 90, 500, 9 * SECOND);

        assertThat(answer(pins(), IDLE, List.of(few), null).kind()).isEqualTo(Kind.HARMLESS);
    }

    /** Pins for a hundredth of the time do not explain why nearly all threads stand elsewhere. */
    @Test
    void fewPinsAreNotTheAnswerIfManyThreadsStandElsewhere() {
        CarrierTime fewPins = time(1, 0, 0, 0.3, 2, 0, 0);

        assertThat(answer(pins(), fewPins).kind()).isEqualTo(Kind.HELD);
        assertThat(answer(pins(), fewPins, List.of(POOL), null).line())
                .isEqualTo("shop.Pool.borrow:7");
        assertThat(answer(pins(), time(1, 0, 0, 1.1, 2, 0, 0), List.of(POOL), null).kind())
                .as("the threads may wait for one that has no carrier")
                .isEqualTo(Kind.HELD);
        assertThat(answer(pins(), time(1, 0, 0, 0.3, 11, 0, 0), List.of(POOL), null).kind())
                .as("one thread waits for a carrier all the time")
                .isEqualTo(Kind.HELD);
        for (Purpose purpose : List.of(Purpose.SLEEP, Purpose.WORK, Purpose.PEER)) {
            Place place = placeFor(purpose, 490);
            assertThat(answer(pins(), fewPins, List.of(place), null).kind())
                    .as("threads may well do that: " + purpose)
                    .isEqualTo(Kind.HELD);
        }
    }

    @Test
    void threadsThatSleepOrWaitForWorkAreTheAnswerOnlyIfNothingElseIs() {
        Place work = placeFor(Purpose.WORK, 300);
        Place sleep = placeFor(Purpose.SLEEP, 100);
        Place blocked = placeFor(Purpose.BLOCKED, 100);
        Place peer = placeFor(Purpose.PEER, 110);

        Answer atWork = answer(pins(), IDLE, List.of(work, sleep), null);
        assertThat(atWork.line()).isEqualTo("shop.WORK:1");
        assertThat(atWork.advice()).startsWith("Nothing is wrong if these are idle workers");
        assertThat(answer(pins(), IDLE, List.of(work, sleep, blocked), null).line())
                .isEqualTo("shop.BLOCKED:1");
        assertThat(answer(pins(), IDLE, List.of(work, peer, blocked), null).line())
                .isEqualTo("shop.PEER:1");
        assertThat(answer(pins(), IDLE, List.of(peer), null).advice())
                .startsWith("Look at how long the peer takes");
        assertThat(answer(pins(), IDLE, List.of(sleep), null).advice())
                .startsWith("Nothing is wrong if they are meant to sleep");
        PinReport.Delayed late = new PinReport.Delayed(true, 2, 3 * SECOND, 2 * SECOND, 0);
        assertThat(
                        answer(
                                        report(pins().sites(), late, List.of()),
                                        time(10, 1, 0, 10, 0, 0, 0),
                                        List.of(work),
                                        null)
                                .kind())
                .as("new threads cannot run, which matters more")
                .isEqualTo(Kind.HELD);
    }

    private static Place placeFor(Purpose purpose, int threads) {
        return new Place("shop." + purpose + ":1", "waiting", purpose, threads, 500, 2 * SECOND);
    }

    @Test
    void aDeadlockWithoutCarriersIsTheAnswer() {
        Deadlock deadlock =
                new Deadlock(
                        List.of(
                                new Diagnosis.Link("\"a\" #1", "lock A", "lock B"),
                                new Diagnosis.Link("\"b\" #2", "lock B", "lock A")),
                        "shop.Transfer.run:3");

        Answer answer = answer(pins(), IDLE, List.of(POOL), null, deadlock);

        assertThat(answer(pins(), HELD, List.of(POOL), null, deadlock).kind()).isEqualTo(Kind.HELD);
        assertThat(answer.kind()).isEqualTo(Kind.WAITING);
        assertThat(answer.line()).isEqualTo("shop.Transfer.run:3");
        assertThat(answer.text())
                .isEqualTo(
                        "Not pinning: a deadlock. \"a\" #1 has lock A, and waits for lock B; \"b\""
                                + " #2 has lock B, and waits for lock A. Other threads that need"
                                + " these locks wait, too.");
    }

    /** Many threads that wake up at the same moment queue for a moment. */
    @Test
    void burstsAreNotBusyIfCarriersHadHardlyAnyWork() {
        assertThat(answer(pins(), time(0, 1, 0, 0, 0, 30, 0)).kind()).isEqualTo(Kind.HARMLESS);
        assertThat(answer(pins(), time(0, 3, 0, 0, 0, 30, 0)).kind()).isEqualTo(Kind.BUSY);
    }

    /** More of the time, or more threads, would make the carriers busy without that. */
    @Test
    void aQueueIsNotNothingWhereOthersUseTheCpus() {
        Answer answer = answer(pins(), time(0, 0.5, 6.5, 0, 0, 15, 0));

        assertThat(answer.kind()).isEqualTo(Kind.BUSY);
        assertThat(answer.text())
                .contains("busy at times", "For 92.9 % of that time they had no CPU");
        assertThat(answer(pins(), time(0, 6.5, 0.5, 0, 0, 15, 0)).kind()).isEqualTo(Kind.HARMLESS);
        assertThat(answer(pins(), time(0, 0.5, 5.9, 0, 0, 15, 0)).kind()).isEqualTo(Kind.HARMLESS);
        assertThat(answer(pins(), time(0, 0.5, 6.5, 0, 0, 0, 0)).kind()).isEqualTo(Kind.BUSY);
        assertThat(answer(pins(), time(0, 0.5, 6.5, 0, 0, 0, 0), List.of(POOL), null).kind())
                .as("most stand at a pool")
                .isEqualTo(Kind.WAITING);
        CarrierTime none = new CarrierTime(0, 0, 0, 0, 0, 0, 0, 0, 0);
        assertThat(answer(pins(), none).kind()).as("no carrier").isEqualTo(Kind.HARMLESS);
    }

    @Test
    void carriersThatHardlyGetACpuDoNotComputeTooMuch() {
        Answer answer = answer(pins(), time(0, 2, 17, 0, 0, 480, 0), List.of(), "shop.Spin.run:1");

        assertThat(answer.text()).contains("For 89.5 % of that time they had no CPU");
        assertThat(answer.advice()).startsWith("Find out what uses the CPUs");
        assertThat(
                        answer(pins(), time(0, 11, 60, 0, 0, 480, 0), List.of(), "shop.Spin.run:1")
                                .advice())
                .as("more carriers than CPUs")
                .startsWith("Compute on a bounded pool");
    }

    @Test
    void whatIsLostIsToldAlsoIfItIsHarmless() {
        assertThat(answer(pins(), time(19, 1, 0, 5, 0, 0, 0)).text())
                .contains(" 25.0 % of the scheduler was lost, unneeded.");
        assertThat(answer(pins(), IDLE).text()).doesNotContain("unneeded");
    }

    /** A pool whose waiters are pinned and compensated, for example. */
    @Test
    void theLineAtWhichMostThreadsArePinnedIsNamedAlsoIfThatIsHarmless() {
        CarrierTime fewLost = time(19, 0, 0, 0.3, 2, 0, 0);

        Answer answer = answer(standing(4), fewLost);

        assertThat(answer.kind()).isEqualTo(Kind.HARMLESS);
        assertThat(answer.line()).isEqualTo("shop.Cache.<init>:28");
        assertThat(answer.text())
                .endsWith(
                        " 4 of 5 virtual threads wait at shop.Cache.<init>:28 now. If something is"
                                + " slow, it is there, also without pinning.");
        assertThat(answer.text()).contains(" and 0.2 virtual threads waited for one on average.");
        assertThat(answer(standing(2), fewLost).kind()).isEqualTo(Kind.HELD);
        assertThat(answer(standing(2), time(19, 0, 0, 0, 0, 0, 0)).text())
                .doesNotContain("wait at");
    }

    private static PinReport standing(long threads) {
        PinReport.Held held = pins().sites().getFirst();
        PinReport.Figures figures =
                new PinReport.Figures(
                        9, 19 * SECOND, SECOND, new ActivePinTotals(threads, SECOND, SECOND));
        return report(
                List.of(
                        new PinReport.Held(
                                held.site(),
                                figures,
                                held.waitedNanos(),
                                held.stack(),
                                held.advice(),
                                held.onUpgrade())),
                PinReport.Delayed.OFF,
                List.of());
    }

    /** Nobody waits for these carriers, and yet everything hangs. */
    @Test
    void threadsThatArePinnedForLongWaitWhereTheyHoldTheirCarriers() {
        Answer answer = answer(pinned(2, false, 18 * SECOND), time(20, 0, 0, 10, 0, 0, 0));

        assertThat(answer.kind()).isEqualTo(Kind.WAITING);
        assertThat(answer.line()).isEqualTo("shop.Db.query:9");
        assertThat(answer.text())
                .startsWith(
                        "Pinning, but nobody waits for the carriers: 2 of 5 virtual threads are"
                                + " pinned at shop.Db.query:9, the longest for 18.00 s.");
    }

    @Test
    void pinnedThreadsDoNotWaitIfTheyAreCompensatedOrFewOrNew() {
        CarrierTime held = time(20, 0, 0, 10, 0, 0, 0);

        assertThat(answer(pinned(2, true, 18 * SECOND), held).kind()).isEqualTo(Kind.NOTHING);
        assertThat(answer(pinned(0, false, 18 * SECOND), held).kind()).isEqualTo(Kind.NOTHING);
        assertThat(answer(pinned(2, false, SECOND / 2), held).kind()).isEqualTo(Kind.NOTHING);
    }

    @Test
    void whereMoreThreadsWaitWithoutACarrierThatIsTheAnswer() {
        CarrierTime held = time(20, 0, 0, 10, 0, 0, 0);
        Place more = new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 3, 5, 4 * SECOND);
        Place fewer = new Place(POOL.line(), POOL.waitsFor(), Purpose.BLOCKED, 1, 5, 4 * SECOND);

        assertThat(answer(pinned(2, false, 18 * SECOND), held, List.of(more), null).line())
                .isEqualTo("shop.Pool.borrow:7");
        assertThat(answer(pinned(2, false, 18 * SECOND), held, List.of(fewer), null).line())
                .isEqualTo("shop.Db.query:9");
    }

    /** With jdk.trackAllThreads=false nobody knows how many there are. */
    @Test
    void onePinIsNotEverythingIfTheNumberOfThreadsIsUnknown() {
        PinReport unknown =
                report(
                        List.of(),
                        PinReport.Delayed.OFF,
                        pinned(2, false, 18 * SECOND).pins(),
                        PinReport.Scheduler.UNKNOWN_THREADS);

        assertThat(answer(unknown, time(20, 0, 0, 10, 0, 0, 0)).kind()).isEqualTo(Kind.NOTHING);
    }

    private static PinReport pinned(int threads, boolean compensated, long ageNanos) {
        PinReport.Pin pin =
                new PinReport.Pin(
                        "db#1",
                        "carrier",
                        new PinKey(PinKind.NATIVE, PinReason.NONE, compensated),
                        new PinSite("lib.Driver.call:1", "shop.Db.query:9", "", PinKind.NATIVE),
                        ageNanos);
        return report(List.of(), PinReport.Delayed.OFF, Collections.nCopies(threads, pin));
    }

    /** Only the agent's probe was queued, which counts nowhere else. */
    @Test
    void aSchedulerThatIsLostToPinsIsNotHarmlessIfNewThreadsWait() {
        CarrierTime lost = time(10, 1, 0, 10, 0, 0, 0);
        PinReport.Delayed late = new PinReport.Delayed(true, 2, 3 * SECOND, 2 * SECOND, 0);
        PinReport.Delayed soon = new PinReport.Delayed(true, 20, SECOND, SECOND, 0);

        Answer answer = answer(report(pins().sites(), late, List.of()), lost);

        assertThat(answer.kind()).isEqualTo(Kind.HELD);
        assertThat(answer.text())
                .startsWith(
                        "Pinning: 50.0 % of the scheduler was lost to held carriers. A new virtual"
                                + " thread waited 1.50 s for one. They were held longest at"
                                + " shop.Cache.<init>:28 (park). JDK 24 removes this pin.");
        assertThat(answer(report(pins().sites(), soon, List.of()), lost).kind())
                .isEqualTo(Kind.HARMLESS);
        assertThat(answer(report(pins().sites(), late, List.of()), IDLE).kind())
                .isEqualTo(Kind.HARMLESS);
        assertThat(
                        answer(
                                        report(
                                                pins().sites(),
                                                late,
                                                pinned(2, false, 18 * SECOND).pins()),
                                        lost)
                                .kind())
                .as("new threads cannot run, which is more than that these wait")
                .isEqualTo(Kind.HELD);
    }

    /** Threads that take turns at a lock leave hardly any queue, and no carrier to a new one. */
    @Test
    void aSchedulerThatIsNearlyLostIsNotHarmlessIfNewThreadsWaitForMilliseconds() {
        PinReport.Delayed late = new PinReport.Delayed(true, 20, SECOND / 2, SECOND, 0);
        PinReport.Delayed soon = new PinReport.Delayed(true, 20, SECOND / 10, SECOND, 0);
        PinReport lateReport = report(pins().sites(), late, List.of());

        Answer answer = answer(lateReport, time(19, 1, 0, 17, 0, 0, 0));

        assertThat(answer.kind()).isEqualTo(Kind.HELD);
        assertThat(answer.text())
                .startsWith(
                        "Pinning: 85.0 % of the scheduler was lost to held carriers. A new virtual"
                                + " thread waited 25.0 ms for one.");
        assertThat(answer(lateReport, time(19, 1, 0, 15, 0, 0, 0)).kind()).isEqualTo(Kind.HARMLESS);
        assertThat(
                        answer(report(pins().sites(), soon, List.of()), time(19, 1, 0, 17, 0, 0, 0))
                                .kind())
                .isEqualTo(Kind.HARMLESS);
    }

    private static PinReport report(
            List<PinReport.Held> sites, PinReport.Delayed delayed, List<PinReport.Pin> pins) {
        return report(sites, delayed, pins, 5);
    }

    private static PinReport report(
            List<PinReport.Held> sites,
            PinReport.Delayed delayed,
            List<PinReport.Pin> pins,
            long threads) {
        return new PinReport(
                new PinReport.Jvm("1", "21", true, true, false, Map.of()),
                10 * SECOND,
                List.of(),
                sites,
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                CarrierTime.NONE,
                new Forecast(0, 0, 0, List.of()),
                PinReport.Starved.NEVER,
                delayed,
                PinReport.Relieved.OFF,
                new PinReport.Scheduler(2, 2, 256, 2, 0, threads),
                pins);
    }

    @Test
    void aDiagnosisComesFirst() {
        Answer answer =
                answer(FullReport.with(new PinReport.Starved(1, 1, STUCK, true, List.of())), HELD);

        assertThat(answer.kind()).isEqualTo(Kind.STUCK);
        assertThat(answer.text())
                .isEqualTo(
                        "Pinning: the scheduler is stuck, because every carrier is held."
                                + " Deadlock: `a` waits for `b`.");
        assertThat(answer.advice()).isEqualTo("relief=stuck would help");
    }

    @Test
    void aDiagnosisThatIsOverIsNotTheReasonAnyMore() {
        assertThat(
                        answer(
                                        FullReport.with(
                                                new PinReport.Starved(
                                                        1, 1, STUCK, false, List.of())),
                                        HELD)
                                .kind())
                .isEqualTo(Kind.HELD);
    }

    @Test
    void theAnswerOnAStuckSchedulerContainsWhetherJdk24RemovesThePins() {
        PinReport stuck = with(new PinReport.Starved(1, 1, STUCK, true, List.of()), pins().sites());

        assertThat(answer(stuck, HELD).text())
                .endsWith("waits for `b`. JDK 24 removes these pins.");
        assertThat(answer(with(stuck.starved(), List.of()), HELD).text())
                .as("nothing is known about the site")
                .endsWith("waits for `b`.");
    }

    /** With relief=stuck other threads run, and nobody waits for the carriers of these. */
    @Test
    void aDeadlockThatRemainsIsTheAnswer() {
        CarrierTime held = time(20, 0, 0, 10, 0, 0, 0);
        Diagnosis diagnosis =
                FullReport.deadlock(
                        new Diagnosis.Link("\"a\" #1", "monitor A", "monitor B"),
                        new Diagnosis.Link("#2", "monitor B", "monitor A"));

        Answer answer =
                answer(
                        with(
                                new PinReport.Starved(1, 1, null, false, List.of(), diagnosis),
                                pins().sites()),
                        held);

        assertThat(answer.kind()).isEqualTo(Kind.STUCK);
        assertThat(answer.text())
                .isEqualTo(
                        "Pinning: a deadlock remains. Other virtual threads run, because carriers"
                                + " were added. \"a\" #1 has monitor A, and waits for monitor B;"
                                + " #2 has monitor B, and waits for monitor A.");
        assertThat(answer.line()).isEqualTo("shop.Cache.<init>:28");
    }

    private static PinReport with(PinReport.Starved starved, List<PinReport.Held> sites) {
        return with(starved, sites, List.of(pin("a#1", SECOND)));
    }

    private static PinReport.Pin pin(String thread, long ageNanos) {
        PinReport.Held held = pins().sites().getFirst();
        PinKey key = new PinKey(PinKind.PARK, PinReason.NONE, false);
        return new PinReport.Pin(thread, "carrier", key, held.site(), ageNanos);
    }

    private static PinReport with(
            PinReport.Starved starved, List<PinReport.Held> sites, List<PinReport.Pin> pins) {
        PinReport report = report(sites, PinReport.Delayed.OFF, pins);
        return new PinReport(
                report.jvm(),
                report.uptimeNanos(),
                report.totals(),
                sites,
                report.rare(),
                report.inProgress(),
                report.carriers(),
                report.forecast(),
                starved,
                report.delayed(),
                report.relieved(),
                report.scheduler(),
                pins);
    }

    private static Answer answer(PinReport report, CarrierTime time) {
        return answer(report, time, List.of(), null);
    }

    private static Answer answer(
            PinReport report, CarrierTime time, List<Place> places, @Nullable String computing) {
        return answer(report, time, places, computing, null);
    }

    private static Answer answer(
            PinReport report,
            CarrierTime time,
            List<Place> places,
            @Nullable String computing,
            @Nullable Deadlock deadlock) {
        AnswerFacts.Threads threads =
                new AnswerFacts.Threads() {
                    @Override
                    public List<Place> waiting() {
                        return places;
                    }

                    @Override
                    public @Nullable String computing() {
                        return computing;
                    }

                    @Override
                    public @Nullable Deadlock deadlock() {
                        return deadlock;
                    }
                };
        return AnswerRules.answer(new AnswerFacts(report.with(time), true, 2, threads));
    }

    private static PinReport pins() {
        return FullReport.with(PinReport.Starved.NEVER);
    }

    private static CarrierTime time(
            double held,
            double running,
            double runnable,
            double lost,
            double waitedHeld,
            double waitedBusy,
            double throttled) {
        return time(held, running, runnable, lost, waitedHeld, waitedBusy, throttled, 0);
    }

    private static CarrierTime time(
            double held,
            double running,
            double runnable,
            double lost,
            double waitedHeld,
            double waitedBusy,
            double throttled,
            double paused) {
        return new CarrierTime(
                nanos(held),
                nanos(running),
                nanos(runnable),
                nanos(20 - held - running - runnable),
                nanos(lost),
                nanos(waitedHeld),
                nanos(waitedBusy),
                nanos(throttled),
                nanos(paused));
    }

    private static long nanos(double seconds) {
        return (long) (seconds * SECOND);
    }
}
