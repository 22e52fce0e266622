package io.vtagent.demo;

import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * How a run went, as the workload itself knows it.
 *
 * @param caseName the name of the case
 * @param variant the name of the variant
 * @param tasks how many tasks ran
 * @param seconds from the start of the first task to the end of the last, in seconds
 * @param waits how often {@code Object.wait} was called and has returned
 */
public record Result(String caseName, String variant, int tasks, double seconds, long waits) {

    private static final Pattern LINE = Pattern.compile(
            "RESULT \\{\"case\":\"(.+?)\",\"variant\":\"(.+?)\",\"tasks\":(\\d+),\"seconds\":([\\d.]+),.*\"waits\":(\\d+)}");

    public double tasksPerSecond() {
        return tasks / seconds;
    }

    /** The line by which a run tells its result to whoever started the JVM. */
    public String line() {
        return String.format(
                Locale.ROOT,
                "RESULT {\"case\":\"%s\",\"variant\":\"%s\",\"tasks\":%d,\"seconds\":%.6f,\"tasksPerSecond\":%.1f,\"waits\":%d}",
                caseName,
                variant,
                tasks,
                seconds,
                tasksPerSecond(),
                waits);
    }

    /** Reads what {@link #line()} has written; empty for any other line. */
    public static Optional<Result> parse(String line) {
        Matcher matcher = LINE.matcher(line);
        if (!matcher.matches()) {
            return Optional.empty();
        }
        return Optional.of(new Result(
                matcher.group(1),
                matcher.group(2),
                Integer.parseInt(matcher.group(3)),
                Double.parseDouble(matcher.group(4)),
                Long.parseLong(matcher.group(5))));
    }
}
