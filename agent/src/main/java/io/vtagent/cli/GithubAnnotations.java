package io.vtagent.cli;

import io.vtagent.log.PlainText;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a gate as commands that a runner of GitHub Actions turns into annotations.
 *
 * @param sourceRoots where sources are searched; empty to guess their paths
 */
record GithubAnnotations(List<Path> sourceRoots) {
    /** GitHub shows no more errors, and no more warnings, of a step. */
    private static final int MAX_OF_A_LEVEL = 10;

    /** Returns the commands, one a line. */
    List<String> of(GateResult result) {
        List<String> lines = new ArrayList<>();
        result.failed().stream()
                .flatMap(each -> each.findings().stream())
                .limit(MAX_OF_A_LEVEL)
                .forEach(finding -> lines.add(line("error", finding)));
        result.warnings().stream()
                .limit(MAX_OF_A_LEVEL)
                .forEach(finding -> lines.add(line("warning", finding)));
        return lines;
    }

    private String line(String level, Finding finding) {
        StringBuilder line = new StringBuilder("::").append(level).append(' ');
        String message = finding.what();
        if (finding.site() != null) {
            message += ". " + finding.site().advice();
            SourcePlace place = SourcePlace.of(finding.site());
            String file = place == null ? null : place.in(sourceRoots);
            if (place != null && file != null) {
                line.append("file=").append(property(file)).append(',');
                line.append(place.line() == 0 ? "" : "line=" + place.line() + ",");
            }
        }
        return line.append("title=")
                .append(property("vt-agent: " + finding.limit()))
                .append("::")
                .append(data(message))
                .toString();
    }

    private static String data(String text) {
        return PlainText.of(text).replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A");
    }

    private static String property(String text) {
        return data(text).replace(":", "%3A").replace(",", "%2C");
    }
}
