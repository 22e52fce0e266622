package io.vtagent.demo.launch;

import io.vtagent.demo.model.Size.Scale;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** The results so far; Ctrl-C asks for them from a thread of its own. */
final class CollectedResults {

    private final Options options;
    private final String machine;
    private final Instant startedAt = Instant.now();
    private final List<Outcome> outcomes = new ArrayList<>();
    private final Map<Run, String> failures = new LinkedHashMap<>();

    CollectedResults(Options options, String machine) {
        this.options = options;
        this.machine = machine;
    }

    synchronized void add(Outcome outcome) {
        outcomes.add(outcome);
    }

    synchronized void failed(Run run, LaunchException failure) {
        failures.put(run, String.valueOf(failure.getMessage()));
    }

    synchronized boolean hasFailures() {
        return !failures.isEmpty();
    }

    synchronized List<Outcome> outcomes() {
        return List.copyOf(outcomes);
    }

    /** Returns which run is in progress, its number and the total, and the time since the start. */
    synchronized String progress(Run run) {
        Duration since = Duration.between(startedAt, Instant.now());
        return "[%d/%d, %d:%02d] %s"
                .formatted(
                        outcomes.size() + failures.size() + 1,
                        options.runs().size(),
                        since.toMinutes(),
                        since.toSecondsPart(),
                        run);
    }

    void write(Path html, Path json) throws IOException {
        Report report = report();
        Files.writeString(html, HtmlReport.of(report));
        Files.writeString(json, report.json());
    }

    private synchronized Report report() {
        List<String> sentences = new ArrayList<>();
        failures.forEach((run, message) -> sentences.add(message));
        int missing = options.runs().size() - outcomes.size() - failures.size();
        if (missing > 0) {
            sentences.add(
                    "%d of %d runs were not made: it was ended before."
                            .formatted(missing, options.runs().size()));
        }
        LocalDate date = startedAt.atZone(ZoneOffset.UTC).toLocalDate();
        return new Report(
                machine,
                date.toString(),
                options.scale() == Scale.FULL,
                List.copyOf(outcomes),
                sentences);
    }
}
