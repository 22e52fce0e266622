package io.vtagent.exporter;

import io.vtagent.exporter.history.History;
import io.vtagent.exporter.page.PageReport;
import io.vtagent.options.ReportTarget;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.util.List;

/**
 * Renders the report in each of its formats.
 *
 * @param app prefixes of the user's own packages
 */
record Renderings(History history, List<String> app) {
    /** Renders {@code report} with the stacks. */
    String of(PinReport report, ReportTarget.Format format) {
        return of(report, format, true);
    }

    /**
     * @param stacks whether the text format contains the stacks; the other formats always do
     */
    String of(PinReport report, ReportTarget.Format format, boolean stacks) {
        return switch (format) {
            case TEXT -> TextReport.render(report, new TextReport.Style(stacks, app));
            case JSON -> JsonReport.render(report, JsonReport.Detail.ALL);
            case HTML -> {
                history.add(report);
                yield PageReport.render(report, history);
            }
        };
    }
}
