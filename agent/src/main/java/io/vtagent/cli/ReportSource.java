package io.vtagent.cli;

import io.vtagent.json.BadJsonException;
import io.vtagent.report.JsonReportReader;
import io.vtagent.report.PinReport;

/** Where a report comes from. What cannot be had is a {@link BadInputException}. */
interface ReportSource {
    /** As the user would recognize it. */
    String name();

    /** Whether it is measured while one looks. */
    boolean isLive();

    /**
     * The report as JSON, as it is there now.
     *
     * @param stacks whether those of the sites are wanted
     */
    String json(boolean stacks);

    /** What was measured over time as JSON, an empty object if that is not known. */
    String history();

    default PinReport report(boolean stacks) {
        return read(json(stacks));
    }

    /** What {@link #json} gave. */
    default PinReport read(String json) {
        try {
            return JsonReportReader.read(json);
        } catch (BadJsonException unreadable) {
            throw new BadInputException(name() + " cannot be read as a report: " + unreadable.getMessage());
        }
    }
}
