package io.vtagent.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The output of two runs of an application, without what is different every time. */
final class Lines {
    private static final String OURS = "[vt-agent] ";
    private static final String PROVED = OURS + "all sensors have been tested now";
    // Quarkus prints the name of its application
    private static final String COMPATIBILITY = "vt-agent-compatibility-";
    // Elastic's agent logs that it exports a registry as soon as there is a meter in it
    private static final String EXPORTED =
            "MicrometerMetricsReporter - Registering Micrometer MeterRegistry: ";
    private static final Pattern FIRST =
            Pattern.compile("\\[vt-agent] .* on JDK .*; sensors .* http://\\S+/metrics");

    private Lines() {}

    /**
     * The lines of {@code jvm} that are neither the agent's own nor among those of {@code alone}.
     */
    static List<String> beyond(ForkedJvm alone, ForkedJvm jvm) {
        Set<String> expected = all(alone).map(Lines::kind).collect(Collectors.toSet());
        return all(jvm).filter(line -> !line.startsWith(OURS) && !expected.contains(kind(line)))
                .toList();
    }

    /**
     * Returns the lines by and about the agent, except for its first one and, on a busy machine,
     * the one that its sensors were proved late.
     */
    static List<String> complaints(ForkedJvm jvm) {
        return all(jvm).filter(line -> line.replace(COMPATIBILITY, "").contains("vt-agent"))
                .filter(line -> !line.contains("-javaagent"))
                .filter(line -> !FIRST.matcher(line).matches() && !line.startsWith(PROVED))
                .toList();
    }

    private static Stream<String> all(ForkedJvm jvm) {
        List<String> lines = new ArrayList<>(jvm.stdout());
        lines.addAll(jvm.stderr());
        return lines.stream().filter(line -> !line.contains(EXPORTED));
    }

    /** The line up to its message's own words, without numbers, times and names of threads. */
    private static String kind(String line) {
        String withoutThreads = line.replaceAll("\\[[^]]*]|\\([^)]*\\)", "");
        int message = withoutThreads.indexOf(" - ");
        String start = message < 0 ? withoutThreads : withoutThreads.substring(0, message);
        return start.replaceAll("[0-9a-f]*\\d[0-9a-f]*", "#").replaceAll("\\s+", " ");
    }
}
