package io.vtagent.cli;

import io.vtagent.cli.Comparison.Row;
import io.vtagent.json.JsonText;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.BusyPlace;
import io.vtagent.report.PinReport.Held;
import org.jspecify.annotations.Nullable;

/** A comparison as JSON. */
record ComparisonJson(
        Comparison comparison, String before, String after, @Nullable GrowthLimit limit) {

    String render() {
        return JsonText.of(this::write);
    }

    private void write(JsonText json) {
        Normalization per = comparison.per();
        json.field("per", per.unit());
        json.object(
                "old",
                in -> run(in, before, comparison.before(), per.before(), comparison.rateBefore()));
        json.object(
                "new",
                in -> run(in, after, comparison.after(), per.after(), comparison.rateAfter()));
        json.field("growthNanosPer", comparison.growth());
        if (Double.isFinite(comparison.growthShare())) {
            json.field("growthShare", comparison.growthShare());
        }
        if (limit != null) {
            json.field("failAbove", limit.given());
            json.field("failed", limit.isExceededBy(comparison));
        }
        json.field("ambiguousSites", comparison.ambiguous());
        json.objects("sites", comparison.rows(), row -> row(json, row));
        json.objects("busy", comparison.busy().rows(), row -> busy(json, row));
    }

    private static void run(
            JsonText json, String name, PinReport report, double units, double rate) {
        json.field("report", name);
        json.field("java", report.jvm().java());
        json.field("uptimeNanos", report.uptimeNanos());
        json.field("count", report.count());
        json.field("heldNanos", report.nanos());
        json.field("lostShare", report.lostShare());
        json.field("waitingNanos", report.carriers().waitedHeldNanos());
        json.field("units", units);
        json.field("heldNanosPer", rate);
    }

    private static void row(JsonText json, Row row) {
        SitePair pair = row.pair();
        json.field("status", pair.status().label());
        PinSite site = pair.newest().site();
        json.field("caller", site.caller());
        json.field("site", site.site());
        json.field("operation", site.operation());
        json.field("kind", site.kind().label());
        json.field("growthNanosPer", row.growth());
        json.field("waitingGrowthNanosPer", row.waitingGrowth());
        figures(json, "old", pair.before(), row.rateBefore());
        figures(json, "new", pair.after(), row.rateAfter());
    }

    private static void figures(JsonText json, String name, @Nullable Held held, double rate) {
        if (held == null) {
            return;
        }
        json.object(
                name,
                in -> {
                    in.field("caller", held.site().caller());
                    in.field("site", held.site().site());
                    in.field("count", held.figures().count());
                    in.field("heldNanos", held.figures().nanos());
                    in.field("longestNanos", held.figures().longestNanos());
                    in.field("waitingNanos", held.waitedNanos());
                    in.field("heldNanosPer", rate);
                });
    }

    private static void busy(JsonText json, BusyComparison.Row row) {
        json.field("status", row.status().label());
        json.field("caller", row.newest().caller());
        json.field("site", row.newest().site());
        json.field("growthNanosPer", row.growth());
        busy(json, "old", row.before(), row.rateBefore());
        busy(json, "new", row.after(), row.rateAfter());
    }

    private static void busy(JsonText json, String name, @Nullable BusyPlace busy, double rate) {
        if (busy == null) {
            return;
        }
        json.object(
                name,
                in -> {
                    in.field("caller", busy.caller());
                    in.field("site", busy.site());
                    in.field("count", busy.count());
                    in.field("busyNanos", busy.nanos());
                    in.field("longestNanos", busy.longestNanos());
                    in.field("busyNanosPer", rate);
                });
    }
}
