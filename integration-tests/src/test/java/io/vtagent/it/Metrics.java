package io.vtagent.it;

import io.vtagent.demo.text.PrometheusText;
import io.vtagent.demo.text.Sample;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * One scrape of {@code /metrics}.
 *
 * @param text as it came
 */
record Metrics(String text, List<Sample> samples) {

    static Metrics parse(String text) {
        return new Metrics(text, PrometheusText.parse(text));
    }

    /** What came to every sample since {@code before}, for those that only grow. */
    Metrics since(Metrics before) {
        List<Sample> grown = new ArrayList<>();
        for (Sample sample : samples) {
            double then =
                    before.samples.stream()
                            .filter(
                                    earlier ->
                                            earlier.name().equals(sample.name())
                                                    && earlier.labels().equals(sample.labels()))
                            .mapToDouble(Sample::value)
                            .sum();
            grown.add(new Sample(sample.name(), sample.labels(), sample.value() - then));
        }
        return new Metrics(text, grown);
    }

    /** The samples of {@code name} with {@code labels}, given as key, value, key, value. */
    Stream<Sample> all(String name, String... labels) {
        return samples.stream().filter(sample -> sample.name().equals(name) && has(sample, labels));
    }

    private static boolean has(Sample sample, String... wanted) {
        for (int i = 0; i < wanted.length; i += 2) {
            if (!sample.label(wanted[i]).equals(wanted[i + 1])) {
                return false;
            }
        }
        return true;
    }

    /** Their sum, 0 if there is none. */
    double sum(String name, String... labels) {
        return all(name, labels).mapToDouble(Sample::value).sum();
    }

    /** The value of the one sample. */
    double value(String name, String... labels) {
        List<Sample> found = all(name, labels).toList();
        if (found.size() != 1) {
            throw new AssertionError(
                    "expected one sample of "
                            + name
                            + " with "
                            + List.of(labels)
                            + ", found "
                            + found
                            + " in\n"
                            + text);
        }
        return found.get(0).value();
    }

    /** How many pins have ended. */
    long pins(String... labels) {
        return (long) sum("vthread_pinned_seconds_count", labels);
    }

    /** For how long pins of {@code kind} held their carriers, also those in progress. */
    double heldSoFar(String kind) {
        return value("vthread_held_seconds_total", "kind", kind);
    }

    /** For how long they held their carriers. */
    double heldSeconds(String... labels) {
        return sum("vthread_pinned_seconds_sum", labels);
    }

    /** How many pins are in progress. */
    long active(String kind) {
        return (long) value("vthread_pinned_active", "kind", kind);
    }

    /**
     * For how long pins of {@code kind} held their carriers in the method or line {@code site}, as
     * a part of all of that kind.
     */
    double shareOf(String kind, String site) {
        return secondsAt(kind, site) / heldSeconds("kind", kind);
    }

    /**
     * The same as a part of what was attributed, which is less in a JVM that has just started: the
     * first stacks are slow to read.
     */
    double shareOfAttributed(String kind, String site) {
        double attributed = heldSeconds("kind", kind) - secondsAt(kind, "(unattributed)");
        return attributed > 0 ? secondsAt(kind, site) / attributed : 0;
    }

    private double secondsAt(String kind, String site) {
        return all("vthread_pinned_site_seconds_sum", "kind", kind)
                .filter(sample -> (sample.label("site") + ":").startsWith(site + ":"))
                .mapToDouble(Sample::value)
                .sum();
    }

    /** The sites of pins of {@code kind}, with how many there were of each. */
    Map<String, Long> sites(String kind) {
        Map<String, Long> sites = new TreeMap<>();
        all("vthread_pinned_site_seconds_count", "kind", kind)
                .filter(sample -> sample.value() > 0)
                .forEach(
                        sample ->
                                sites.merge(
                                        sample.label("site"), (long) sample.value(), Long::sum));
        return sites;
    }
}
