package io.vtagent.exporter;

import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.exporter.http.BadQueryException;
import io.vtagent.exporter.http.Content.Page;
import io.vtagent.exporter.http.Query;
import io.vtagent.report.ThreadsJson;
import io.vtagent.report.ThreadsText;
import io.vtagent.sampler.CarrierMonitoring;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The content of {@code /threads} and {@code /api/threads}. Nothing is read until somebody asks.
 *
 * @param answers returns null if there is no answer now
 * @param failure returns why there is none
 * @param app prefixes of the user's own packages
 */
record ThreadsPage(
        Supplier<PacedThreadGroups.@Nullable Answer> answers,
        Supplier<@Nullable String> failure,
        List<String> app) {
    private static final int GROUPS_OF_TEXT = 20;
    private static final int GROUPS_OF_JSON = 100;
    private static final int MAX_GROUPS = 2_500;

    /**
     * @param watch null where there are no carriers
     */
    static ThreadsPage of(@Nullable CarrierMonitoring watch, List<String> app) {
        if (watch == null) {
            return new ThreadsPage(
                    () -> null, () -> "virtual threads have no carriers in this JVM", app);
        }
        Lazy<PacedThreadGroups> paced = new Lazy<>(() -> new PacedThreadGroups(watch.threads()));
        return new ThreadsPage(() -> paced.get().answer(), () -> paced.get().failure(), app);
    }

    /** Returns the page of a JVM without virtual threads, which reads nothing. */
    static ThreadsPage ofNobody(List<String> app) {
        ThreadGroups nobody = new ThreadGroups(0, true, 0, 0, 0, 0, 0, true, 0, List.of());
        return new ThreadsPage(() -> new PacedThreadGroups.Answer(nobody, 0, 0), () -> null, app);
    }

    Page text(Query query) {
        int top = top(query, GROUPS_OF_TEXT);
        PacedThreadGroups.Answer answer = answers.get();
        return new Page(
                "text/plain; charset=utf-8",
                answer == null
                        ? ThreadsText.ofUnknown(reason())
                        : ThreadsText.render(answer, top, app));
    }

    Page json(Query query) {
        int top = top(query, GROUPS_OF_JSON);
        PacedThreadGroups.Answer answer = answers.get();
        return new Page(
                "application/json",
                answer == null ? ThreadsJson.ofUnknown(reason()) : ThreadsJson.render(answer, top));
    }

    private String reason() {
        String known = failure.get();
        return known == null ? "they are being read; ask again in some seconds" : known;
    }

    private static int top(Query query, int otherwise) {
        long top = query.number("top").orElse(otherwise);
        if (top < 1 || top > MAX_GROUPS) {
            throw new BadQueryException("expected top= and a number from 1 to " + MAX_GROUPS);
        }
        return (int) top;
    }
}
