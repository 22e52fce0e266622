package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.site.PinnedStack;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A report in which everything happened, and variants of it in which one thing did not. */
final class FullReport {
    private static final Map<String, String> SENSORS = sensors();

    static final PinReport.Jvm JVM = new PinReport.Jvm("1.0", "21.0.8", true, true, false, SENSORS);
    static final PinReport.Jvm WITHOUT_MONITOR_PINS =
            new PinReport.Jvm("1.0", "25.0.1", true, false, false, SENSORS);

    static final Diagnosis DIAGNOSIS =
            new Diagnosis(
                    "`ReentrantLock@1` is owned by `late`.",
                    false,
                    "relief=stuck would help",
                    List.of(new Diagnosis.Link("\"late\" #9", "ReentrantLock@1", "Db@3")),
                    5_000_000_000L,
                    2,
                    7,
                    List.of("\"late\" #9", "#10"),
                    List.of(
                            new Diagnosis.CarrierState(
                                    "worker-1",
                                    "\"first\" #21",
                                    "park for 5000 ms",
                                    "ReentrantLock@1",
                                    "\"late\" #9",
                                    List.of(
                                            "shop.Db.query(Db.java:7)",
                                            "shop.Main.<init>(Main.java:1)")),
                            new Diagnosis.CarrierState(
                                    "worker-2", "#22", "runnable", null, null, List.of())),
                    List.of(
                            new Diagnosis.Lock(
                                    "ReentrantLock@1", "\"late\" #9", List.of("\"first\" #21")),
                            new Diagnosis.Lock("Semaphore@2", null, List.of())));

    static final Diagnosis OVERLOAD =
            new Diagnosis(
                    "Overload.",
                    true,
                    null,
                    List.of(),
                    1_200_000_000,
                    2,
                    9,
                    List.of(),
                    List.of(),
                    List.of());

    static final PinReport.Starved STARVED =
            new PinReport.Starved(
                    2,
                    6_500_000_000L,
                    DIAGNOSIS,
                    true,
                    List.of(new PinReport.Past(1_000_000_000, 1_500_000_000, OVERLOAD)));
    static final PinReport.Delayed DELAYED =
            new PinReport.Delayed(true, 50, 200_000_000, 150_000_000, 3_000_000_000L);
    static final PinReport.Relieved RELIEVED = new PinReport.Relieved(true, 12, 1_234, 2_500_000);
    static final ActivePinTotals IN_PROGRESS = new ActivePinTotals(1, 200_000_000, 200_000_000);

    static final Forecast FORECAST =
            new Forecast(
                    1_500_000_000,
                    500_000_000,
                    0,
                    List.of(
                            new Forecast.Remaining(
                                    "shop.Cache.<init>:28",
                                    "park",
                                    400_000_000,
                                    "shop.Native.call:?"),
                            new Forecast.Remaining(
                                    "java.io.FileInputStream.read:9", "io", 100_000_000, null)));

    static final PinReport.Scheduler SCHEDULER = new PinReport.Scheduler(2, 3, 256, 1, 7, 1_000);
    static final List<PinReport.Pin> PINS =
            List.of(
                    new PinReport.Pin(
                            "first#21",
                            "worker-1",
                            new PinKey(PinKind.IO, PinReason.NONE, true),
                            new PinSite(
                                    "java.io.FileInputStream.read:9",
                                    "shop.Files.load:5",
                                    "java.io.FileInputStream.read",
                                    PinKind.IO),
                            200_000_000));

    private static final PinnedStack IN_MONITOR =
            new PinnedStack(
                    List.of(
                            "java.base/java.lang.Thread.sleep(Thread.java:509)",
                            "shop.Cache.<init>(Cache.java:28)",
                            "shop.Main.main(Main.java:3)"),
                    1,
                    "shop.Cache.<init>:28",
                    PinnedStack.Cause.MONITOR,
                    "shop.Cache",
                    "java.lang.Thread.sleep",
                    null,
                    "shop.Native.call:?",
                    Map.of(
                            "shop.Cache.<init>(Cache.java:28)",
                            new PinnedStack.Monitors("shop.Cache", null),
                            "shop.Main.main(Main.java:3)",
                            new PinnedStack.Monitors("shop.Main, shop.Lock", "shop.Lock")));
    private static final PinnedStack OF_CLASS =
            new PinnedStack(
                    List.of("shop.Main.main(Main.java:4)"),
                    0,
                    "shop.Main.main:4",
                    PinnedStack.Cause.CLASS_INIT,
                    "shop.Slow",
                    "class initialization",
                    null,
                    null,
                    Map.of());
    private static final PinnedStack IN_CALL =
            new PinnedStack(
                    List.of("java.base/java.io.FileInputStream.read(FileInputStream.java:9)"),
                    -1,
                    "java.io.FileInputStream.read:9",
                    PinnedStack.Cause.NONE,
                    null,
                    "java.io.FileInputStream.read",
                    null,
                    null,
                    Map.of());

    static final List<PinReport.Total> TOTALS =
            List.of(
                    new PinReport.Total(
                            new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                            figures(3, 1_500_000_000, 900_000_000)),
                    new PinReport.Total(
                            new PinKey(PinKind.IO, PinReason.NONE, true),
                            new PinReport.Figures(1, 500_000_000, 300_000_000, IN_PROGRESS)));

    static final List<PinReport.Held> SITES =
            List.of(
                    held(
                            "shop.Cache.<init>:28",
                            "shop.Cache.<init>:28",
                            "java.lang.Thread.sleep",
                            PinKind.PARK,
                            DurationCounts.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2, 1),
                            1_500_000_000,
                            IN_MONITOR,
                            "do \"this\" & that"),
                    held(
                            "shop.Main.main:4",
                            "shop.Main.main:4",
                            "class initialization",
                            PinKind.CLASS_INIT,
                            DurationCounts.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
                            300_000_000,
                            OF_CLASS,
                            "earlier",
                            new Samples(1, 40, 0)),
                    held(
                            "shop.Files.load:5",
                            "java.io.FileInputStream.read:9",
                            "java.io.FileInputStream.read",
                            PinKind.IO,
                            DurationCounts.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1),
                            150_000_000,
                            IN_CALL,
                            "pool"),
                    held(
                            "(other)",
                            "(other)",
                            "(other)",
                            PinKind.PARK,
                            DurationCounts.of(0, 0, 0, 0, 0, 0, 0, 0, 2),
                            50_000_000,
                            null,
                            "raise"));

    /** The use of the time of 2.2 carriers. */
    static final PinReport.CarrierTime CARRIERS =
            new PinReport.CarrierTime(
                    2_200_000_000L,
                    5_500_000_000L,
                    1_100_000_000L,
                    13_200_000_000L,
                    2_000_000_000L,
                    3_500_000_000L,
                    500_000_000L,
                    250_000_000L,
                    125_000_000L);

    static final Answer ANSWER =
            new Answer(
                    Answer.Kind.WAITING,
                    "Not pinning: 2 of 2 virtual threads are parked at a.B.c:1.",
                    evidence(),
                    "a.B.c:1",
                    "Find out what they wait for.");

    static final PinReport.Rare RARE = new PinReport.Rare(2, 3, 16_400_000);

    static final PinReport.Busy BUSY =
            new PinReport.Busy(
                    true,
                    1,
                    List.of(
                            new PinReport.BusyPlace(
                                    "lib.Pool.borrow:7",
                                    "shop.Basket.add:12",
                                    40,
                                    4_000_000_000L,
                                    1_200_000_000,
                                    List.of(
                                            "lib.Pool.borrow(Pool.java:7)",
                                            "shop.Basket.add(Basket.java:12)")),
                            new PinReport.BusyPlace(
                                    "(unattributed)",
                                    "(unattributed)",
                                    1,
                                    20_000_000,
                                    12_000_000,
                                    List.of())));

    private FullReport() {}

    private static Map<String, Double> evidence() {
        Map<String, Double> evidence = new LinkedHashMap<>();
        for (String name :
                List.of(
                        "periodSeconds",
                        "heldSeconds",
                        "lostShare",
                        "waitedForHeldSeconds",
                        "waitedForBusySeconds",
                        "runningSeconds",
                        "runnableSeconds",
                        "idleSeconds",
                        "throttledSeconds",
                        "pausedSeconds",
                        "threads",
                        "threadsAtLine",
                        "longestWaitSeconds")) {
            evidence.put(name, 0.25);
        }
        return evidence;
    }

    /** Returns the figures of pins that have all ended. */
    static Diagnosis deadlock(Diagnosis.Link... links) {
        return new Diagnosis(
                "Deadlock.",
                false,
                null,
                List.of(links),
                6_000_000_000L,
                2,
                7,
                List.of(),
                List.of(),
                List.of());
    }

    static PinReport.Figures figures(long count, long nanos, long longestNanos) {
        return new PinReport.Figures(count, nanos, longestNanos, ActivePinTotals.NONE);
    }

    static PinReport everything() {
        return new PinReport(
                        JVM,
                        10_000_000_000L,
                        TOTALS,
                        SITES,
                        RARE,
                        IN_PROGRESS,
                        CARRIERS,
                        FORECAST,
                        STARVED,
                        DELAYED,
                        RELIEVED,
                        SCHEDULER,
                        PINS)
                .with(BUSY)
                .with(ANSWER);
    }

    /** Returns the report of carriers that were held for {@code nanos} in all. */
    static PinReport held(long nanos) {
        return new PinReport(
                JVM,
                10_000_000_000L,
                List.of(
                        new PinReport.Total(
                                new PinKey(PinKind.PARK, PinReason.MONITOR, false),
                                figures(2, nanos, nanos))),
                SITES,
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    static PinReport withSites(List<PinReport.Held> sites) {
        return new PinReport(
                JVM,
                10_000_000_000L,
                TOTALS,
                sites,
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    static PinReport with(PinReport.Starved starved) {
        return new PinReport(
                JVM,
                10_000_000_000L,
                TOTALS,
                SITES,
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FORECAST,
                starved,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    static PinReport withoutMonitorPins() {
        return new PinReport(
                WITHOUT_MONITOR_PINS,
                10_000_000_000L,
                TOTALS,
                SITES,
                PinReport.Rare.NONE,
                IN_PROGRESS,
                PinReport.CarrierTime.NONE,
                FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    static PinReport withoutPins(ActivePinTotals inProgress, PinReport.Starved starved) {
        return new PinReport(
                JVM,
                1,
                List.of(),
                List.of(),
                PinReport.Rare.NONE,
                inProgress,
                PinReport.CarrierTime.NONE,
                FORECAST,
                starved,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    static PinReport withoutPins(PinReport.Delayed delayed) {
        return new PinReport(
                JVM,
                1,
                List.of(),
                List.of(),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FORECAST,
                PinReport.Starved.NEVER,
                delayed,
                PinReport.Relieved.OFF,
                SCHEDULER,
                List.of());
    }

    private static PinReport.Held held(
            String caller,
            String site,
            String operation,
            PinKind kind,
            DurationCounts durations,
            long nanos,
            @Nullable PinnedStack stack,
            String advice) {
        return held(caller, site, operation, kind, durations, nanos, stack, advice, Samples.NONE);
    }

    private static PinReport.Held held(
            String caller,
            String site,
            String operation,
            PinKind kind,
            DurationCounts durations,
            long nanos,
            @Nullable PinnedStack stack,
            String advice,
            Samples samples) {
        return new PinReport.Held(
                new PinSite(site, caller, operation, kind),
                new PinReport.Figures(
                        durations.count(),
                        nanos,
                        nanos / 2,
                        ActivePinTotals.NONE,
                        samples,
                        durations),
                kind == PinKind.PARK && stack != null ? 3_000_000_000L : 0,
                stack,
                advice,
                kind == PinKind.PARK && stack != null
                        ? Forecast.OfSite.GOES
                        : Forecast.OfSite.STAYS);
    }

    private static Map<String, String> sensors() {
        Map<String, String> sensors = new LinkedHashMap<>();
        sensors.put("park", "");
        sensors.put("io", "was not noticed");
        return sensors;
    }
}
