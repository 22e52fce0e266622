package io.vtagent.exporter;

import io.vtagent.exporter.history.History;
import io.vtagent.exporter.http.BadQueryException;
import io.vtagent.exporter.http.Content;
import io.vtagent.exporter.http.Content.Page;
import io.vtagent.exporter.http.Query;
import io.vtagent.exporter.http.Route;
import io.vtagent.exporter.page.PageFile;
import io.vtagent.json.JsonText;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.ReportTarget;
import io.vtagent.pin.PinSite;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.Stacks;
import java.util.HashMap;
import java.util.Map;
import java.util.function.Function;

/** The content of each path of the endpoint. */
record Routes(
        MeasurementSource measurements,
        Meters meters,
        History history,
        Renderings renderings,
        ThreadsPage threads) {
    private static final String JSON = "application/json";
    private static final String TEXT = "text/plain; charset=utf-8";

    /** Returns the same routes for other measurements. */
    Routes of(MeasurementSource others, AgentOptions options) {
        History another = new History(history.run());
        another.add(others.report());
        return new Routes(
                others,
                new Meters(others, options),
                another,
                new Renderings(another, options.app()),
                new ThreadsPage(ThreadReadings.ofNobody(), options.app()));
    }

    Map<String, Route> byPath() {
        Map<String, Route> routes = new HashMap<>();
        routes.put("/metrics", Route.guarded(meters::scrape));
        routes.put("/report", Route.guarded(this::report));
        routes.put("/api/report", Route.guarded(this::jsonReport));
        routes.put("/api/stacks", Route.guarded(this::stacks));
        routes.put("/threads", Route.onlyOnRequest(threads::text));
        routes.put("/api/threads", Route.onlyOnRequest(threads::json));
        routes.put("/api/history", Route.guarded(this::history));
        routes.put(
                "/api/live",
                Route.guarded(
                        query ->
                                new Content.Events(
                                        new LiveFeed(
                                                history,
                                                measurements.answers()::aboutLastMinute))));
        routes.put("/", Route.open(file(PageFile.INDEX)));
        for (PageFile file : PageFile.values()) {
            if (file != PageFile.INDEX && file.isServed()) {
                routes.put("/page/" + file.fileName(), Route.open(file(file)));
            }
        }
        return routes;
    }

    private static Function<Query, Content> file(PageFile file) {
        return query -> new Page(file.contentType(), file.text());
    }

    private Page report(Query query) {
        PinReport report = measurements.answered();
        return switch (query.text("format", "txt")) {
            case "txt" -> new Page(TEXT, renderings.of(report, ReportTarget.Format.TEXT));
            case "json" -> new Page(JSON, renderings.of(report, ReportTarget.Format.JSON));
            // a download: the endpoint's security policy would not let the report's own scripts run
            case "html" ->
                    new Page(
                            "text/html; charset=utf-8",
                            renderings.of(report, ReportTarget.Format.HTML),
                            "vt-agent-report.html");
            default ->
                    throw new BadQueryException("expected format=txt, format=json or format=html");
        };
    }

    private Page jsonReport(Query query) {
        JsonReport.Detail detail =
                switch (query.text("stacks", "on")) {
                    case "on" -> JsonReport.Detail.ALL;
                    case "off" -> JsonReport.Detail.NO_STACKS;
                    default -> throw new BadQueryException("expected stacks=on or stacks=off");
                };
        return new Page(JSON, JsonReport.render(measurements.answered(), detail));
    }

    private Page stacks(Query query) {
        boolean period = query.number("from").isPresent() || query.number("to").isPresent();
        PinReport report = measurements.report();
        if (!period) {
            return new Page(TEXT, Stacks.collapsed(report));
        }
        history.add(report);
        Map<PinSite, Long> held =
                history.heldMicros(
                        query.number("from").orElse(0), query.number("to").orElse(Long.MAX_VALUE));
        return new Page(TEXT, Stacks.collapsed(report, site -> held.getOrDefault(site.site(), 0L)));
    }

    private Page history(Query query) {
        long from = query.number("from").orElse(0);
        return new Page(JSON, JsonText.of(json -> history.write(json, from)));
    }
}
