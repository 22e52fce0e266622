package io.vtagent.demo.model;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * A command line, taken apart.
 *
 * @param words what is neither an option nor the value of one, in order
 * @param values the options that take a value, with it: {@code --tasks 5} or {@code --tasks=5}
 * @param flags the options that were given and take none
 */
public record Arguments(List<String> words, Map<String, String> values, Set<String> flags) {

    public Arguments {
        words = List.copyOf(words);
        values = Map.copyOf(values);
        flags = Set.copyOf(flags);
    }

    public static Arguments parse(List<String> line, Set<String> valued, Set<String> flagged) {
        List<String> words = new ArrayList<>();
        Map<String, String> values = new HashMap<>();
        Set<String> flags = new HashSet<>();
        Deque<String> left = new ArrayDeque<>(line);
        while (!left.isEmpty()) {
            String word = left.remove();
            int equals = word.indexOf('=');
            String option = equals < 0 ? word : word.substring(0, equals);
            if (!word.startsWith("-")) {
                words.add(word);
            } else if (flagged.contains(word)) {
                flags.add(word);
            } else if (!valued.contains(option)) {
                throw new UsageException(
                        "unknown option \"%s\"; expected one of %s"
                                .formatted(word, all(valued, flagged)));
            } else {
                values.put(
                        option,
                        valueOf(option, equals < 0 ? left.poll() : word.substring(equals + 1)));
            }
        }
        return new Arguments(words, values, flags);
    }

    private static String all(Set<String> valued, Set<String> flagged) {
        Set<String> all = new TreeSet<>(valued);
        all.addAll(flagged);
        return String.join(", ", all);
    }

    private static String valueOf(String option, @Nullable String value) {
        if (value == null || value.isEmpty() || value.startsWith("--")) {
            throw new UsageException(
                    "%s expects a value, but got %s"
                            .formatted(option, value == null ? "none" : quoted(value)));
        }
        return value;
    }

    /** The whole number that {@code option} was given, or {@code otherwise} where it was not. */
    public int number(String option, int least, int most, int otherwise) {
        String value = values.get(option);
        if (value == null) {
            return otherwise;
        }
        try {
            int number = Integer.parseInt(value);
            if (number >= least && number <= most) {
                return number;
            }
        } catch (NumberFormatException e) {
            // Falls through to the sentence that also serves a number out of range.
        }
        throw new UsageException(
                "%s expects a whole number from %d to %d, but got %s"
                        .formatted(option, least, most, quoted(value)));
    }

    /**
     * The text that {@code option} was given, which has to begin with {@code prefix}, or {@code
     * otherwise}.
     */
    public String text(String option, String prefix, String otherwise) {
        String value = values.getOrDefault(option, otherwise);
        if (!value.startsWith(prefix)) {
            throw new UsageException(
                    "%s expects something that begins with %s, but got %s"
                            .formatted(option, prefix, quoted(value)));
        }
        return value;
    }

    private static String quoted(String value) {
        return '"' + value + '"';
    }
}
