package io.vtagent.demo.launch;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Reads the Prometheus text format, as far as names, labels and values go; comments and timestamps are passed over. */
final class PrometheusText {

    private final String line;
    private int at;

    private PrometheusText(String line) {
        this.line = line;
    }

    static List<Sample> parse(String text) throws LaunchException {
        List<Sample> samples = new ArrayList<>();
        for (String line : text.lines().toList()) {
            if (!line.isBlank() && !line.startsWith("#")) {
                try {
                    samples.add(new PrometheusText(line).sample());
                } catch (IndexOutOfBoundsException | NumberFormatException e) {
                    throw new LaunchException("expected a line of the Prometheus text format, but got " + line);
                }
            }
        }
        return samples;
    }

    private Sample sample() {
        String name = upTo("{ ");
        Map<String, String> labels = new HashMap<>();
        if (line.charAt(at) == '{') {
            at++;
            while (line.charAt(at) != '}') {
                String key = upTo("=");
                at += 2;
                labels.put(key, quoted());
                at += line.charAt(at) == ',' ? 1 : 0;
            }
            at++;
        }
        return new Sample(name, labels, number(line.substring(at).strip().split(" ", 2)[0]));
    }

    private String upTo(String ends) {
        int start = at;
        while (ends.indexOf(line.charAt(at)) < 0) {
            at++;
        }
        return line.substring(start, at);
    }

    private String quoted() {
        StringBuilder text = new StringBuilder();
        for (; line.charAt(at) != '"'; at++) {
            if (line.charAt(at) == '\\') {
                at++;
                text.append(line.charAt(at) == 'n' ? '\n' : line.charAt(at));
            } else {
                text.append(line.charAt(at));
            }
        }
        at++;
        return text.toString();
    }

    private static double number(String text) {
        return switch (text) {
            case "+Inf", "Inf" -> Double.POSITIVE_INFINITY;
            case "-Inf" -> Double.NEGATIVE_INFINITY;
            default -> Double.parseDouble(text);
        };
    }
}
