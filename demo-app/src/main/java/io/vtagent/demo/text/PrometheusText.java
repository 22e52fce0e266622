package io.vtagent.demo.text;

import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Reads the Prometheus text format, as far as names, labels and values go; comments and timestamps
 * are passed over. Prometheus' own library for Java writes the format and does not read it.
 */
public final class PrometheusText {

    private static final String LABEL = "([a-zA-Z_]\\w*)=\"([^\"\\\\]*(?:\\\\.[^\"\\\\]*)*)\"";
    private static final Pattern ONE_LABEL = Pattern.compile(LABEL);
    private static final Pattern LINE =
            Pattern.compile(
                    "(?<name>[a-zA-Z_:][\\w:]*)(?:\\{(?<labels>(?:"
                            + LABEL
                            + "(?:,|(?=})))*)})? +(?<value>\\S+)(?: +-?\\d+)?");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    private PrometheusText() {}

    /**
     * The samples of {@code text}, in its order.
     *
     * @throws IllegalArgumentException if a line is not of the format
     */
    public static List<Sample> parse(String text) {
        return text.lines()
                .filter(line -> !line.isBlank() && !line.startsWith("#"))
                .map(PrometheusText::sample)
                .toList();
    }

    private static Sample sample(String line) {
        Matcher parts = LINE.matcher(line);
        try {
            if (parts.matches()) {
                return new Sample(
                        parts.group("name"),
                        labels(parts.group("labels")),
                        number(parts.group("value")));
            }
        } catch (NumberFormatException notOne) {
            // Falls through to the sentence that serves whatever is wrong.
        }
        throw new IllegalArgumentException(
                "expected a line of the Prometheus text format, but got " + line);
    }

    private static Map<String, String> labels(@Nullable String labels) {
        return labels == null
                ? Map.of()
                : ONE_LABEL
                        .matcher(labels)
                        .results()
                        .collect(
                                Collectors.toMap(
                                        label -> label.group(1),
                                        label -> unescaped(label.group(2))));
    }

    private static String unescaped(String value) {
        return ESCAPED.matcher(value)
                .replaceAll(
                        escaped ->
                                escaped.group(1).equals("n")
                                        ? "\n"
                                        : Matcher.quoteReplacement(escaped.group(1)));
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
