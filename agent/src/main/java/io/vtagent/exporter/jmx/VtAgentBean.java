package io.vtagent.exporter.jmx;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.exporter.jmx.KeptPins.Kept;
import io.vtagent.ledger.Sensors;
import io.vtagent.report.Answer;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.ReportSince;
import io.vtagent.report.TextReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/**
 * The agent's MXBean. Thread-safe: a client calls it on a thread of its own, which may be a virtual
 * one.
 */
final class VtAgentBean implements VtAgentMXBean {
    /** A client that reads all attributes asks for each of them separately. */
    private static final long FRESH_NANOS = 250_000_000;

    private static final double NANOS_PER_SECOND = 1e9;
    private static final KeptPins NOTHING_KEPT = new KeptPins(1);

    private final Measured measured;
    private final Marks marks = new Marks();
    private final TestPins tests;
    private volatile KeptPins kept = NOTHING_KEPT;
    private volatile @Nullable PinReport base;
    private volatile @Nullable Newest newest;

    private record Newest(PinReport report, long atNanos) {}

    VtAgentBean(Measured measured) {
        this.measured = measured;
        tests = new TestPins(measured, TestPins.MAX_PINS);
    }

    /** Since the last reset. */
    private PinReport now() {
        PinReport report = measured.report().get();
        PinReport reset = base;
        return reset == null ? report : ReportSince.of(reset, report);
    }

    /** Returns the report since the last reset, with the answer about the last minute. */
    private PinReport answered() {
        PinReport report = measured.answered().apply(measured.report().get());
        PinReport reset = base;
        Answer answer = report.answer();
        return reset == null || answer == null
                ? report
                : ReportSince.of(reset, report).with(answer);
    }

    private PinReport recent() {
        Newest known = newest;
        if (known == null || System.nanoTime() - known.atNanos > FRESH_NANOS) {
            known = new Newest(now(), System.nanoTime());
            newest = known;
        }
        return known.report;
    }

    @Override
    public String getVersion() {
        return recent().jvm().agent();
    }

    @Override
    public String getPinningMode() {
        return recent().jvm().pinningMode();
    }

    @Override
    public boolean isMonitorsPin() {
        return recent().jvm().monitorsPin();
    }

    @Override
    public String getAnswer() {
        Answer answer = measured.answered().apply(measured.report().get()).answer();
        return answer == null ? "" : answer.text();
    }

    @Override
    public double getSeconds() {
        return seconds(recent().uptimeNanos());
    }

    @Override
    public double getHeldSeconds() {
        return seconds(recent().nanos());
    }

    @Override
    public double getLostSeconds() {
        return seconds(recent().carriers().lostNanos());
    }

    @Override
    public double getLostShare() {
        return recent().lostShare();
    }

    @Override
    public Map<String, Double> getCarrierSeconds() {
        PinReport.CarrierTime time = recent().carriers();
        Map<String, Double> byName = new TreeMap<>();
        byName.put("held", seconds(time.heldNanos()));
        byName.put("running", seconds(time.runningNanos()));
        byName.put("runnable", seconds(time.runnableNanos()));
        byName.put("idle", seconds(time.idleNanos()));
        return byName;
    }

    @Override
    public Map<String, Double> getWaitingSeconds() {
        PinReport.CarrierTime time = recent().carriers();
        Map<String, Double> byName = new TreeMap<>();
        byName.put("held", seconds(time.waitedHeldNanos()));
        byName.put("busy", seconds(time.waitedBusyNanos()));
        return byName;
    }

    @Override
    public double getThrottledSeconds() {
        return seconds(recent().carriers().throttledNanos());
    }

    @Override
    public Map<String, Double> getHeldSecondsByKind() {
        return byKind(total -> seconds(total.figures().nanos()));
    }

    @Override
    public long getPins() {
        return recent().count();
    }

    @Override
    public Map<String, Long> getPinsByKind() {
        Map<String, Long> pins = new TreeMap<>();
        byKind(total -> total.figures().count())
                .forEach((kind, count) -> pins.put(kind, count.longValue()));
        return pins;
    }

    private Map<String, Double> byKind(ToDoubleFunction<PinReport.Total> figure) {
        Map<String, Double> sums = new TreeMap<>();
        for (PinReport.Total total : recent().totals()) {
            sums.merge(total.key().kind().label(), figure.applyAsDouble(total), Double::sum);
        }
        return sums;
    }

    @Override
    public long getPinsInProgress() {
        return recent().inProgress().count();
    }

    @Override
    public double getLongestPinInProgressSeconds() {
        return seconds(recent().inProgress().longestNanos());
    }

    @Override
    public SiteFigures[] getSites() {
        return recent().sites().stream().map(SiteFigures::of).toArray(SiteFigures[]::new);
    }

    @Override
    public long getBusyCarriers() {
        return recent().busy().carriers();
    }

    @Override
    public BusySiteFigures[] getBusySites() {
        return recent().busy().sites().stream()
                .map(BusySiteFigures::of)
                .toArray(BusySiteFigures[]::new);
    }

    @Override
    public long getParallelism() {
        return recent().scheduler().parallelism();
    }

    @Override
    public long getCarriers() {
        return recent().scheduler().size();
    }

    @Override
    public long getCarriersMax() {
        return recent().scheduler().max();
    }

    @Override
    public long getCarriersHeld() {
        return recent().scheduler().held();
    }

    @Override
    public long getQueued() {
        return recent().scheduler().queued();
    }

    @Override
    public boolean isStarved() {
        return recent().starved().now();
    }

    @Override
    public long getStarvedPeriods() {
        return recent().starved().periods();
    }

    @Override
    public double getStarvedSeconds() {
        return seconds(recent().starved().nanos());
    }

    @Override
    public long getDelayCount() {
        return recent().delayed().count();
    }

    @Override
    public double getDelaySeconds() {
        return seconds(recent().delayed().nanos());
    }

    @Override
    public double getDelayMaxSeconds() {
        return seconds(recent().delayed().longestNanos());
    }

    @Override
    public double getDelayCurrentSeconds() {
        return seconds(recent().delayed().currentNanos());
    }

    @Override
    public long getSubmitFailures() {
        return measured.ledger().submitFailures();
    }

    @Override
    public long getReliefCarriers() {
        return recent().relieved().carriers();
    }

    @Override
    public long getSensorsDown() {
        return recent().jvm().sensors().values().stream()
                .filter(failure -> !failure.isEmpty())
                .count();
    }

    @Override
    public Map<String, String> getSensors() {
        Map<String, String> sensors = sensors(recent());
        // because a client may be waiting for that
        return sensors.containsValue(Sensors.NOT_PROVED_YET) ? sensors(now()) : sensors;
    }

    private static Map<String, String> sensors(PinReport report) {
        Map<String, String> sensors = new TreeMap<>();
        report.jvm()
                .sensors()
                .forEach(
                        (sensor, failure) ->
                                sensors.put(sensor, failure.isEmpty() ? "up" : failure));
        return sensors;
    }

    private static double seconds(long nanos) {
        return nanos / NANOS_PER_SECOND;
    }

    @Override
    public String report(String format) {
        return switch (String.valueOf(format)) {
            case "txt" -> TextReport.render(answered(), measured.style());
            case "json" -> JsonReport.render(answered(), JsonReport.Detail.ALL);
            default ->
                    throw new IllegalArgumentException(
                            "format is \"" + format + "\", expected txt or json");
        };
    }

    @Override
    public void reset() {
        base = measured.report().get();
        newest = null;
    }

    @Override
    public String diagnosis() {
        Diagnosis diagnosis = now().starved().diagnosis();
        return diagnosis == null ? "" : diagnosis.inWords();
    }

    @Override
    public long mark() {
        KeptPins keeping = kept;
        long pins = keeping.count(); // before the report: what ends meanwhile is in both
        PinReport report = measured.report().get();
        return marks.add(new Marks.Mark(report, System.nanoTime(), keeping, pins));
    }

    @Override
    public String since(long mark) {
        Marks.Mark marked = marks.get(mark);
        PinReport since = ReportSince.of(marked.report(), measured.report().get());
        KeptPins keeping = kept;
        long before = keeping == marked.keeper() ? marked.pins() : 0;
        List<Kept> pins = keeping.since(before);
        return SinceMark.json(since, marked, pins, keeping.count() - before);
    }

    @Override
    public void forget(long mark) {
        marks.remove(mark);
    }

    @Override
    public synchronized void keepPins(int most) {
        if (most < 0 || most > KeptPins.MAX_PINS) {
            throw new IllegalArgumentException(
                    "most is " + most + ", expected a number from 0 to " + KeptPins.MAX_PINS);
        }
        measured.ledger().removeListener(kept);
        kept = NOTHING_KEPT;
        if (most > 0) {
            KeptPins.warmUp();
            KeptPins keeping = new KeptPins(most);
            kept = keeping;
            measured.ledger().addListener(keeping);
        }
    }

    @Override
    public long begin() {
        return tests.begin();
    }

    @Override
    public PinsOfTest pinsOf(long test) {
        return tests.since(test);
    }

    @Override
    public void end(long test) {
        tests.end(test);
    }

    /** Called from time to time: see {@link TestPins#tidy}. */
    void tidy() {
        tests.tidy(System.nanoTime());
    }

    /** Stops the notifications. */
    void close() {
        keepPins(0);
        tests.close();
    }
}
