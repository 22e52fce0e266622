package io.vtagent.report;

import io.vtagent.record.InProgress;
import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport.Figures;
import io.vtagent.report.PinReport.Held;
import io.vtagent.report.PinReport.Total;
import io.vtagent.vm.PinnedStack;
import io.vtagent.watch.Diagnosis;
import java.util.List;
import java.util.Locale;

/** The report as a page that needs nothing but itself. */
public final class HtmlReport {
    private static final String STYLE = """
            body { font: 15px/1.5 system-ui, sans-serif; margin: 2rem auto; max-width: 70rem; padding: 0 1rem; color: #1a1a1a }
            h1 { font-size: 1.5rem; margin-bottom: 0 } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem }
            p.where { color: #555; margin-top: .25rem }
            table { border-collapse: collapse; width: 100% } th, td { text-align: left; padding: .3rem .6rem; vertical-align: top }
            th { border-bottom: 2px solid #ccc } tr + tr td { border-top: 1px solid #eee }
            td.n, th.n { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap }
            code { font: 13px/1.4 ui-monospace, monospace; overflow-wrap: anywhere }
            pre { font: 12px/1.45 ui-monospace, monospace; background: #f6f6f6; padding: .6rem; overflow-x: auto; margin: .4rem 0 }
            mark { background: #ffe08a } summary { cursor: pointer; color: #0645ad } .advice { margin: .3rem 0 }
            .bar { background: #d9534f; height: .35rem; margin-top: .2rem }
            """;

    private HtmlReport() {}

    public static String render(PinReport report) {
        StringBuilder page = new StringBuilder("<!doctype html>\n<html lang=\"en\"><head><meta charset=\"utf-8\">")
                .append("<meta name=\"viewport\" content=\"width=device-width\"><title>vt-agent</title><style>\n")
                .append(STYLE)
                .append("</style></head><body>\n");
        if (report.count() == 0) {
            page.append("<h1>No virtual thread held its carrier</h1>\n");
        } else {
            page.append("<h1>Carriers were held for ")
                    .append(Quantity.duration(report.nanos()))
                    .append(" by ");
            page.append(Quantity.pins(report.count())).append("</h1>\n");
        }
        page.append("<p class=\"where\">JDK ")
                .append(escape(report.jvm().java()))
                .append("; ")
                .append(report.jvm().world());
        page.append("; measured for ")
                .append(Quantity.duration(report.uptimeNanos()))
                .append("; ");
        page.append(report.inProgress().count() == 0 ? "no pin in progress" : Quantity.inProgress(report.inProgress()))
                .append("</p>\n");
        String delayed = Quantity.delayed(report.delayed());
        if (!delayed.isEmpty()) {
            page.append("<p>A").append(delayed.substring(1)).append(".</p>\n");
        }
        starved(page, report.starved());
        if (report.relieved().on()) {
            page.append("<p>").append(Quantity.relieved(report.relieved())).append(".</p>\n");
        }
        if (report.count() > 0 && report.jvm().monitorsPin()) {
            page.append("<p>Of this, ").append(report.forecast().inWords()).append(".</p>\n");
        }
        if (report.count() > 0) {
            totals(page, report.totals());
            sites(page, report);
        }
        return page.append("</body></html>\n").toString();
    }

    private static void starved(StringBuilder page, PinReport.Starved starved) {
        Diagnosis diagnosis = starved.diagnosis();
        if (starved.periods() > 0) {
            page.append("<p>Every carrier was held with work queued for ")
                    .append(Quantity.duration(starved.nanos()))
                    .append(" in all.</p>\n");
        }
        if (diagnosis == null) {
            return;
        }
        page.append(starved.now() ? "<h2>Stuck now</h2>" : "<h2>The last time that nothing moved</h2>");
        page.append("<p><b>")
                .append(escape(diagnosis.verdict()))
                .append("</b></p><details")
                .append(starved.now() ? " open" : "")
                .append("><summary>The carriers, when all had been held for ");
        page.append(Quantity.duration(diagnosis.starvedNanos()))
                .append("</summary><pre>")
                .append(escape(diagnosis.inWords()))
                .append("</pre></details>\n");
    }

    private static void totals(StringBuilder page, List<Total> totals) {
        page.append(
                "<h2>By kind</h2><table><tr><th>Kind, reason<th class=\"n\">Pins<th class=\"n\">Held<th class=\"n\">Longest</tr>\n");
        for (Total total : totals) {
            page.append("<tr><td>").append(TextReport.keyOf(total.key()));
            figures(page, total.figures());
            page.append("</tr>\n");
        }
        page.append("</table>\n");
    }

    private static void sites(StringBuilder page, PinReport report) {
        page.append(
                "<h2>By site</h2><table><tr><th>Site<th class=\"n\">Pins<th class=\"n\">Held<th class=\"n\">Longest</tr>\n");
        for (Held held : report.sitesOfNote()) {
            long percent = report.nanos() == 0 ? 0 : held.figures().nanos() * 100 / report.nanos();
            PinSite site = held.site();
            page.append("<tr><td><code>").append(escape(site.caller())).append("</code> ");
            if (!site.caller().equals(site.site())) {
                page.append("in <code>").append(escape(site.site())).append("</code> ");
            }
            page.append(held.site().kind().label())
                    .append("<div class=\"bar\" style=\"width:")
                    .append(percent)
                    .append("%\"></div>");
            page.append("<p class=\"advice\">").append(escape(held.advice())).append("</p>");
            PinnedStack stack = held.stack();
            if (stack != null && stack.nativeFrame() != null) {
                page.append("<p class=\"advice\">")
                        .append(escape(TextReport.below(stack.nativeFrame())))
                        .append("</p>");
            }
            if (stack != null) {
                stack(page, held.site().operation(), stack);
            }
            figures(page, held.figures());
            page.append("</tr>\n");
        }
        page.append("</table>\n");
        String rest = report.restInWords();
        if (!rest.isEmpty()) {
            page.append("<p>").append(rest).append("</p>\n");
        }
    }

    private static void stack(StringBuilder page, String operation, PinnedStack stack) {
        page.append("<details><summary>blocked in <code>")
                .append(escape(operation))
                .append("</code></summary><pre>");
        List<String> frames = stack.frames();
        for (int i = 0; i < frames.size(); i++) {
            String frame = escape(frames.get(i) + stack.mark(i));
            page.append(i == stack.holderIndex() ? "<mark>" + frame + "</mark>" : frame)
                    .append('\n');
        }
        page.append("</pre></details>");
    }

    private static void figures(StringBuilder page, Figures figures) {
        InProgress pins = figures.inProgress();
        page.append("<td class=\"n\">").append(String.format(Locale.ROOT, "%,d", figures.count()));
        page.append("<td class=\"n\">").append(Quantity.duration(figures.nanos()));
        if (pins.count() > 0) {
            page.append("<br><small>").append(Quantity.duration(pins.nanos())).append(" by ");
            page.append(String.format(Locale.ROOT, "%,d in progress</small>", pins.count()));
        }
        page.append("<td class=\"n\">").append(Quantity.duration(figures.longestNanos()));
    }

    private static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
