package io.vtagent.cli;

import io.vtagent.json.BadJsonException;
import io.vtagent.report.JsonReportReader;
import io.vtagent.report.PinReport;

/** A source of reports. The methods throw {@link BadInputException} if they cannot get one. */
interface ReportSource {
    /** Returns a name that the user recognizes. */
    String name();

    /** Returns whether the source is a running agent, so that its report changes. */
    boolean isLive();

    /**
     * Returns the current report as JSON.
     *
     * @param stacks whether to include the stacks of the sites
     */
    String json(boolean stacks);

    /** Returns the measured history as JSON; an empty object if it is unknown. */
    String history();

    default PinReport report(boolean stacks) {
        return read(json(stacks));
    }

    /** Parses a report that {@link #json} returned. */
    default PinReport read(String json) {
        try {
            return JsonReportReader.read(json);
        } catch (BadJsonException unreadable) {
            throw new BadInputException(
                    name() + " cannot be read as a report: " + unreadable.getMessage());
        }
    }
}
