package io.vtagent.exporter.jmx;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.util.List;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/**
 * The source of the bean's figures.
 *
 * @param report what was measured until now, when it is asked
 * @param answered adds the answer to a report of what was measured until now
 * @param active the pins in progress, when it is asked
 * @param style of the report as text
 */
public record Measured(
        Ledger ledger,
        Supplier<PinReport> report,
        UnaryOperator<PinReport> answered,
        Supplier<List<ActivePin>> active,
        TextReport.Style style) {}
