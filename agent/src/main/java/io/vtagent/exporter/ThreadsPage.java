package io.vtagent.exporter;

import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.exporter.http.BadQueryException;
import io.vtagent.exporter.http.Content.Page;
import io.vtagent.exporter.http.Query;
import io.vtagent.report.ThreadsJson;
import io.vtagent.report.ThreadsText;
import java.util.List;

/**
 * The content of {@code /threads} and {@code /api/threads}. Nothing is read without a request.
 *
 * @param threads reads where virtual threads are
 * @param app prefixes of the user's own packages
 */
record ThreadsPage(ThreadReadings threads, List<String> app) {
    private static final int GROUPS_OF_TEXT = 20;
    private static final int GROUPS_OF_JSON = 100;
    private static final int MAX_GROUPS = 2_500;

    Page text(Query query) {
        int top = top(query, GROUPS_OF_TEXT);
        PacedThreadGroups.Reading reading = threads.newest();
        return new Page(
                "text/plain; charset=utf-8",
                reading == null
                        ? ThreadsText.ofUnknown(reason())
                        : ThreadsText.render(reading, top, app));
    }

    Page json(Query query) {
        int top = top(query, GROUPS_OF_JSON);
        PacedThreadGroups.Reading reading = threads.newest();
        return new Page(
                "application/json",
                reading == null
                        ? ThreadsJson.ofUnknown(reason())
                        : ThreadsJson.render(reading, top));
    }

    private String reason() {
        String known = threads.failure();
        return known == null ? "they are being read; try again in some seconds" : known;
    }

    private static int top(Query query, int otherwise) {
        long top = query.number("top").orElse(otherwise);
        if (top < 1 || top > MAX_GROUPS) {
            throw new BadQueryException("expected top= and a number from 1 to " + MAX_GROUPS);
        }
        return (int) top;
    }
}
