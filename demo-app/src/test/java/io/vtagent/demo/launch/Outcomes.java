package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Outcomes that were not measured. */
final class Outcomes {

    static final Pins NONE = new Pins(0, Map.of(), List.of());

    private Outcomes() {}

    static Outcome of(String demoCase, String variant, int jdk, Result result, Pins pins) {
        DemoCase named = Catalogue.caseNamed(demoCase);
        Run run =
                new Run(
                        named,
                        Catalogue.variantOf(named, variant),
                        jdk,
                        new Settings(1_000, 10, ""));
        return new Outcome(run, result, pins, "");
    }

    static Result tasksPerSecond(double value) {
        return new Result(Map.of("tasks/s", value), List.of());
    }

    static Pins parks(long count, double seconds, String... sites) {
        Map<String, Long> counts = new LinkedHashMap<>();
        counts.put("park", count);
        return new Pins(
                seconds,
                counts,
                List.of(sites).stream()
                        .map(
                                site ->
                                        new Pins.Site(
                                                site,
                                                "java.lang.Thread.sleep",
                                                "park",
                                                count,
                                                seconds))
                        .toList());
    }
}
