package io.vtagent.exporter.jmx;

import io.vtagent.record.ActivePin;
import io.vtagent.record.Ledger;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.util.List;
import java.util.function.Supplier;

/**
 * Where the bean has its figures from.
 *
 * @param report what was measured until now, when it is asked
 * @param active the pins in progress, when it is asked
 * @param style of the report as text
 */
public record Measured(
        Ledger ledger,
        Supplier<PinReport> report,
        Supplier<List<ActivePin>> active,
        TextReport.Style style) {}
