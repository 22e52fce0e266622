package io.vtagent.outlet;

import io.vtagent.export.Content;
import io.vtagent.history.History;
import io.vtagent.json.JsonText;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import org.jspecify.annotations.Nullable;

/** Each second as an event: whose it is, what came to the history, and the report without its sites. For one thread. */
final class LiveFeed implements Content.Feed {
    private static final long LONGEST_WAIT_MILLIS = 2_000;

    private final History history;
    private final String run;
    private long told = -1;

    /** @param run tells this agent from any other that listens at the same address later */
    LiveFeed(History history, String run) {
        this.history = history;
        this.run = run;
    }

    @Override
    public @Nullable String next() {
        long second;
        try {
            second = history.await(told, LONGEST_WAIT_MILLIS);
        } catch (InterruptedException whoever) {
            return null;
        }
        PinReport report = history.newest();
        if (report == null || second <= told) {
            return null;
        }
        long from = told < 0 ? second : told + 1;
        told = second;
        return JsonText.of(json -> {
            json.field("run", run);
            json.object("history", in -> history.writeSeconds(in, from));
            json.object("report", in -> JsonReport.write(in, report, JsonReport.Detail.NO_SITES));
        });
    }
}
