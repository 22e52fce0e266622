package io.vtagent.demo.finding;

import io.vtagent.demo.finding.PinnedWorkload.Sort;
import io.vtagent.demo.model.AgentFigures;
import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * One workload with a pin of every sort, observed by one tool after the other. The workload has a
 * stop watch of its own; what a tool finds is compared with that, in all and for each sort.
 */
public final class FindingDemo implements DemoCase {

    private static final String AGENT = "vt-agent";

    /**
     * JFR gives a recording what any other asks for, and the agent asks for shorter pins than these
     * tools do.
     */
    private static final long SETTLED_MILLIS = 6_000;

    private static final String AGENT_WITHOUT_EVENTS = "vm-events=off";

    @Override
    public String name() {
        return "finding";
    }

    @Override
    public String shows() {
        return "One pinned workload, looked at by jdk.tracePinnedThreads, JFR, async-profiler,"
                + " Micrometer and this agent: how much of the carrier time that was lost each"
                + " of them finds.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "jdk.tracePinnedThreads prints a stack to stderr when a thread is pinned"
                                + " for more than 20 ms."),
                Claim.of(
                        Article.PINNING,
                        "JFR's jdk.VirtualThreadPinned has the duration, the carrier and the stack;"
                                + " look at those of more than 1 ms."),
                Claim.of(
                        Article.PINNING,
                        "async-profiler in wall mode shows stacks of virtual threads with"
                                + " Object.wait or Unsafe.park inside synchronized, which are the"
                                + " pinned ones."));
    }

    @Override
    public String comparison() {
        return "On JDK 21 jdk.tracePinnedThreads prints to the standard output, whatever the"
                + " length, and each stack once, so it tells where but neither how often nor how"
                + " long; it is gone from JDK 24 on. With the settings profile, JFR does not"
                + " record what is shorter than 20 ms, so there is nothing of 1 ms to look at;"
                + " on JDK 21 it has no event for entering a monitor, for Object.wait, nor for"
                + " what has not ended. Micrometer's VirtualThreadMetrics is fed by that event,"
                + " with its threshold, and has no stacks. async-profiler sees whatever is on a"
                + " carrier, held or busy: to tell them apart is up to the reader. The agent has"
                + " all of it, also the wait for another thread's class initializer, which JFR"
                + " has on JDK 25 only. From JDK 24 on (JEP 491) only the initializer pins.";
    }

    @Override
    public String figure() {
        return FoundShare.FOUND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(TracedPins.VARIANT, "-Djdk.tracePinnedThreads=short")
                        .onJvm("-Djdk.tracePinnedThreads=short"),
                Variant.of(
                                RecordedPins.VARIANT,
                                "JDK Flight Recorder, settings=profile, jdk.VirtualThreadPinned")
                        .underAgent(AGENT_WITHOUT_EVENTS),
                Variant.of("async-profiler", "async-profiler, wall mode, every millisecond"),
                Variant.of("micrometer", "Micrometer's VirtualThreadMetrics")
                        .underAgent(AGENT_WITHOUT_EVENTS),
                Variant.of(AGENT, "this agent, which also looks at the other runs"));
    }

    /** A task is a round of the workload. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 50 : 10, 40);
    }

    @Override
    public Optional<String> module() {
        return Optional.of("demo-tools");
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Load.warmUp(number -> Thread.sleep(1));
        if (variant.equals(AGENT)) {
            Result known = FoundShare.known(new PinnedWorkload(settings.tasks()).run());
            // The JVM's events come a second late; of what none of them claims, the agent is sure
            // after four.
            Thread.sleep(SETTLED_MILLIS);
            return known;
        }
        PinFinder tool =
                finders()
                        .filter(finder -> finder.isFor(variant))
                        .findFirst()
                        .orElseThrow(
                                () ->
                                        new IllegalStateException(
                                                "no " + variant + " on the class path"));
        tool.start();
        Map<Sort, Double> known = new PinnedWorkload(settings.tasks()).run();
        PinFinder.Found found = tool.stop();
        Map<Sort, Double> foundBySort = new EnumMap<>(Sort.class);
        for (PinFinder.Pins pins : found.pins()) {
            known.keySet().stream()
                    .filter(sort -> sort.isIn(pins.frames()))
                    .forEach(sort -> foundBySort.merge(sort, pins.seconds(), Double::sum));
        }
        double seconds = found.pins().stream().mapToDouble(PinFinder.Pins::seconds).sum();
        Result result =
                seconds == 0 || foundBySort.isEmpty()
                        ? FoundShare.total(
                                seconds,
                                FoundShare.known(known)) // the sorts cannot be distinguished
                        : FoundShare.bySort(seconds, foundBySort, FoundShare.known(known));
        return result.note(found.note());
    }

    private static Stream<PinFinder> finders() {
        return Stream.concat(
                Stream.of(new TracedPins(), new RecordedPins()),
                ServiceLoader.load(PinFinder.class).stream().map(ServiceLoader.Provider::get));
    }

    /** The agent is not asked from inside: its figures are known when the run is over. */
    @Override
    public Result besideAgent(String variant, Result known, AgentFigures seen) {
        if (!variant.equals(AGENT)) {
            return known;
        }
        Map<Sort, Double> found = new EnumMap<>(Sort.class);
        for (Sort sort : Sort.values()) {
            found.put(
                    sort,
                    seen.secondsBySite().entrySet().stream()
                            .filter(site -> sort.isIn(site.getKey()))
                            .mapToDouble(Map.Entry::getValue)
                            .sum());
        }
        if (known.figures().containsKey(Sort.UNENDED.what)) {
            // The time is longer when the agent is asked than when the stop watch was.
            found.put(
                    Sort.UNENDED,
                    Math.min(seen.longestInProgressSeconds(), known.figure(Sort.UNENDED.what)));
        }
        double seconds = found.values().stream().mapToDouble(Double::doubleValue).sum();
        return FoundShare.bySort(seconds, found, known);
    }
}
