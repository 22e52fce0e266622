package io.vtagent.exporter.page;

import io.vtagent.exporter.history.History;
import io.vtagent.json.JsonText;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import java.nio.charset.StandardCharsets;
import java.util.Base64;

/** The page as one self-contained file, with the figures until it was made. */
public final class PageReport {
    /** Browsers resolve modules by name only through a map. */
    private static final String SCHEME = "vt-agent/";

    private static final String POLICY =
            "<meta http-equiv=\"Content-Security-Policy\" content=\"default-src 'none'; script-src"
                    + " 'unsafe-inline' data:; style-src 'unsafe-inline'; img-src data:\">";

    private PageReport() {}

    /** Returns the page with the figures until now. */
    public static String render(PinReport report, History history) {
        return of(
                JsonReport.render(report, JsonReport.Detail.ALL),
                JsonText.of(json -> history.write(json, 0)));
    }

    /**
     * The page with what was measured elsewhere.
     *
     * @param report as {@link JsonReport} writes it
     * @param history as {@link History#write} does; an empty object if there is none
     */
    public static String of(String report, String history) {
        String charts = "<script>" + inScript(PageFile.CHARTS.text()) + "</script>\n";
        return page(
                PageFile.INDEX,
                PageFile.MAIN,
                json("report", report) + json("history", history) + charts);
    }

    /**
     * The page of two reports side by side.
     *
     * @param comparison as the command {@code diff --json} prints it
     * @param before the old report as {@link JsonReport} writes it
     * @param after the new one
     */
    public static String ofComparison(String comparison, String before, String after) {
        return page(
                PageFile.DIFF_INDEX,
                PageFile.DIFF,
                json("comparison", comparison)
                        + json("old-report", before)
                        + json("new-report", after));
    }

    /**
     * @param entry the module that is run
     * @param data scripts that stand before it
     */
    private static String page(PageFile index, PageFile entry, String data) {
        StringBuilder scripts = new StringBuilder("<script type=\"importmap\">{\"imports\":{");
        StringBuilder separator = new StringBuilder();
        for (PageFile file : PageFile.values()) {
            if (file.isModule()) {
                scripts.append(separator).append('"').append(SCHEME).append(file.fileName());
                scripts.append("\":\"data:text/javascript;base64,")
                        .append(base64(file.text().replace("from \"./", "from \"" + SCHEME)))
                        .append('"');
                separator.setLength(0);
                separator.append(',');
            }
        }
        scripts.append("}}</script>\n");
        scripts.append(data);
        scripts.append(
                "<script type=\"module\">import \"" + SCHEME + entry.fileName() + "\";</script>\n");
        return index.text()
                .replace("<meta charset=\"utf-8\">", "<meta charset=\"utf-8\">\n" + POLICY)
                .replace(
                        "page/icon.svg",
                        "data:image/svg+xml;base64," + base64(PageFile.ICON.text()))
                .replace(
                        "<link rel=\"stylesheet\" href=\"page/page.css\">",
                        "<style>\n" + PageFile.STYLE.text() + "</style>")
                .replace("<script src=\"page/chart.umd.min.js\"></script>\n", "")
                .replace(
                        "<script type=\"module\" src=\"page/" + entry.fileName() + "\"></script>\n",
                        scripts);
    }

    private static String json(String id, String json) {
        return "<script type=\"application/json\" id=\""
                + id
                + "\">"
                + inScript(json)
                + "</script>\n";
    }

    /**
     * Nothing in a script's text may end it. In JSON, and in a string of a script, a slash is the
     * same with a backslash before it.
     */
    private static String inScript(String text) {
        return text.replace("</", "<\\/").replace("<!--", "<\\u0021--");
    }

    private static String base64(String text) {
        return Base64.getEncoder().encodeToString(text.getBytes(StandardCharsets.UTF_8));
    }
}
