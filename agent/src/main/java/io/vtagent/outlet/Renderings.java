package io.vtagent.outlet;

import io.vtagent.history.History;
import io.vtagent.options.ReportTarget;
import io.vtagent.page.PageReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;

/** The report in each of its formats. */
record Renderings(History history) {
    String of(PinReport report, ReportTarget.Format format) {
        return switch (format) {
            case TEXT -> TextReport.render(report);
            case JSON -> JsonReport.render(report, JsonReport.Detail.ALL);
            case HTML -> {
                history.add(report);
                yield PageReport.render(report, history);
            }
        };
    }
}
