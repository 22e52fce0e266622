package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The report of {@code ./demo all}, as JSON and back.
 *
 * @param machine what the figures hold for, in words
 * @param date when they were measured
 * @param full whether in the sizes of the articles
 * @param missing what was not measured and why, a sentence each
 */
record Report(
        String machine, String date, boolean full, List<Outcome> outcomes, List<String> missing) {

    List<Outcome> of(DemoCase demoCase) {
        return outcomes.stream()
                .filter(outcome -> outcome.run().demoCase().name().equals(demoCase.name()))
                .toList();
    }

    String json() {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("machine", machine);
        json.put("date", date);
        json.put("full", full);
        json.put("missing", missing);
        json.put(
                "cases",
                Catalogue.CASES.stream()
                        .filter(demoCase -> !of(demoCase).isEmpty())
                        .map(this::json)
                        .toList());
        return Json.text(json) + '\n';
    }

    private Map<String, Object> json(DemoCase demoCase) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("name", demoCase.name());
        json.put("shows", demoCase.shows());
        json.put("figure", demoCase.figure());
        json.put("claims", demoCase.claims().stream().map(Report::json).toList());
        json.put("comparison", demoCase.comparison());
        json.put("runs", of(demoCase).stream().map(Report::json).toList());
        return json;
    }

    private static Map<String, Object> json(Claim claim) {
        Map<String, Object> figures = new LinkedHashMap<>();
        claim.figures()
                .forEach(
                        (variant, range) ->
                                figures.put(variant, List.of(range.low(), range.high())));
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("article", claim.article().title());
        json.put("says", claim.says());
        json.put("figures", figures);
        return json;
    }

    private static Map<String, Object> json(Outcome outcome) {
        Run run = outcome.run();
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("variant", run.variant().name());
        json.put("jdk", run.jdk());
        json.put("tasks", run.settings().tasks());
        json.put("latencyMillis", run.settings().latencyMillis());
        json.put("figures", outcome.result().figures());
        json.put("notes", outcome.result().notes());
        json.put("heldSeconds", outcome.pins().heldSeconds());
        json.put("pins", outcome.pins().countByKind());
        if (!outcome.answer().isEmpty()) {
            json.put("answer", outcome.answer());
        }
        json.put("sites", outcome.pins().sites().stream().map(Report::json).toList());
        return json;
    }

    private static Map<String, Object> json(Pins.Site site) {
        Map<String, Object> json = new LinkedHashMap<>();
        json.put("site", site.site());
        json.put("operation", site.operation());
        json.put("kind", site.kind());
        json.put("count", site.count());
        json.put("seconds", site.seconds());
        return json;
    }

    static Report parse(String text) {
        Json json = Json.parse(text);
        List<Outcome> outcomes = new ArrayList<>();
        for (Json demoCase : json.get("cases").elements()) {
            for (Json run : demoCase.get("runs").elements()) {
                outcomes.add(outcome(Catalogue.caseNamed(demoCase.get("name").string()), run));
            }
        }
        return new Report(
                json.get("machine").string(),
                json.get("date").string(),
                json.get("full").isTrue(),
                outcomes,
                json.get("missing").elements().stream().map(Json::string).toList());
    }

    private static Outcome outcome(DemoCase demoCase, Json json) {
        Settings settings =
                new Settings(
                        (int) json.get("tasks").number(),
                        (int) json.get("latencyMillis").number(),
                        "");
        Run run =
                new Run(
                        demoCase,
                        Catalogue.variantOf(demoCase, json.get("variant").string()),
                        (int) json.get("jdk").number(),
                        settings);
        Json answer = json.members().get("answer");
        return new Outcome(run, Result.of(json), pins(json), answer == null ? "" : answer.string());
    }

    private static Pins pins(Json json) {
        Map<String, Long> counts = new LinkedHashMap<>();
        json.get("pins")
                .members()
                .forEach((kind, count) -> counts.put(kind, (long) count.number()));
        List<Pins.Site> sites =
                json.get("sites").elements().stream()
                        .map(
                                site ->
                                        new Pins.Site(
                                                site.get("site").string(),
                                                site.get("operation").string(),
                                                site.get("kind").string(),
                                                (long) site.get("count").number(),
                                                site.get("seconds").number()))
                        .toList();
        return new Pins(json.get("heldSeconds").number(), counts, sites);
    }

    /**
     * Whether a run was as big as the article's, so that its figures can be put beside each other.
     */
    static boolean isArticleSize(Run run) {
        Size size = run.demoCase().size(run.variant().name(), Size.Scale.FULL);
        return run.settings().tasks() == size.tasks()
                && run.settings().latencyMillis() == size.latencyMillis();
    }
}
