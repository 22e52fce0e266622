package io.vtagent.demo.model;

import io.vtagent.demo.text.Json;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The result of a run, as the workload itself measured it.
 *
 * @param figures by name, in order; a name contains the unit
 * @param notes what figures cannot show, such as a limit that was hit, a sentence each
 */
public record Result(Map<String, Double> figures, List<String> notes) {

    /** The number of tasks that ended in a second. */
    public static final String TASKS_PER_SECOND = "tasks/s";

    private static final String MARKER = "RESULT ";

    public static Result of(String figure, double value) {
        return new Result(Map.of(figure, value), List.of());
    }

    public static Result ofTasks(long tasks, double seconds) {
        return of(TASKS_PER_SECOND, tasks / seconds);
    }

    public Result with(String figure, double value) {
        Map<String, Double> more = new LinkedHashMap<>(figures);
        more.put(figure, value);
        return new Result(more, notes);
    }

    /** With one more note. */
    public Result note(String sentence) {
        List<String> more = new ArrayList<>(notes);
        more.add(sentence);
        return new Result(figures, more);
    }

    /** The value of {@code figure}, which there has to be. */
    public double figure(String figure) {
        Double value = figures.get(figure);
        if (value == null) {
            throw new IllegalArgumentException("no \"" + figure + "\" in " + figures);
        }
        return value;
    }

    /** Returns the line with which a run passes its result to the process that started the JVM. */
    public String line() {
        Map<String, Object> members = new LinkedHashMap<>();
        members.put("figures", figures);
        members.put("notes", notes);
        return MARKER + Json.text(members);
    }

    /** Reads what {@link #line()} has written; empty for any other line. */
    public static Optional<Result> parse(String line) {
        if (!line.startsWith(MARKER + '{')) {
            return Optional.empty();
        }
        return Optional.of(of(Json.parse(line.substring(MARKER.length()))));
    }

    /** The result in {@code json}, which has {@code figures} and {@code notes} among others. */
    public static Result of(Json json) {
        Map<String, Double> figures = new LinkedHashMap<>();
        json.get("figures").members().forEach((name, value) -> figures.put(name, value.number()));
        return new Result(
                figures, json.get("notes").elements().stream().map(Json::string).toList());
    }
}
