package io.vtagent.exporter;

import io.vtagent.exporter.history.History;
import io.vtagent.exporter.http.Content;
import io.vtagent.json.JsonText;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Publishes each second as an event: the run, the new seconds of the history, and the report
 * without its sites. For one thread.
 */
final class LiveFeed implements Content.Feed {
    private static final long MAX_WAIT_MILLIS = 2_000;

    private final History history;
    private final UnaryOperator<PinReport> answered;
    private long sent = -1;

    /**
     * @param answered adds the answer to a report
     */
    LiveFeed(History history, UnaryOperator<PinReport> answered) {
        this.history = history;
        this.answered = answered;
    }

    @Override
    public @Nullable String next() {
        long second;
        try {
            second = history.await(sent, MAX_WAIT_MILLIS);
        } catch (InterruptedException ending) {
            return null;
        }
        PinReport newest = history.newest();
        if (newest == null || second <= sent) {
            return null;
        }
        PinReport report = answered.apply(newest);
        long from = sent < 0 ? second : sent + 1;
        sent = second;
        return JsonText.of(
                json -> {
                    json.field("run", history.run());
                    json.object("history", in -> history.writeSeconds(in, from));
                    json.object(
                            "report",
                            in -> JsonReport.write(in, report, JsonReport.Detail.NO_SITES));
                });
    }
}
