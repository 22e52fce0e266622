package io.vtagent.demo.launch;

import io.vtagent.demo.model.AgentFigures;
import io.vtagent.demo.text.Sample;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The figures that the agent's meters have for a run.
 *
 * @param heldSeconds carrier time held, in seconds
 * @param countByKind the number of pins by kind in the order of {@link #KINDS}, without those that
 *     were sampled too rarely to be attributed to a site
 * @param sites the sites, those with the most time first
 */
record Pins(double heldSeconds, Map<String, Long> countByKind, List<Site> sites) {

    /** The pins where nothing was measured. */
    static final Pins NONE = new Pins(0, Map.of(), List.of());

    /** The kinds of the agent's contract. */
    private static final List<String> KINDS =
            List.of("park", "wait", "enter", "class_init", "io", "native", "jvm");

    private static final String PINNED = "vthread_pinned_seconds";
    private static final String PINNED_SITE = "vthread_pinned_site_seconds";
    private static final String ACTIVE = "vthread_pinned_active";
    private static final String LONGEST = "vthread_pinned_active_longest_seconds";

    /**
     * Shorter pins in progress are nothing special: a run may end while the JVM still tidies up.
     */
    private static final double LONG_SECONDS = 1;

    private static final double MIN_SECONDS = 0.001;
    private static final double SMALL_REST = 0.01;

    private static final String COUNT = "_count";
    private static final String SUM = "_sum";

    /**
     * Code that held carriers.
     *
     * @param seconds for how long in all, in seconds
     */
    record Site(String site, String operation, String kind, long count, double seconds) {

        private Site plus(Sample sample) {
            return sample.name().endsWith(COUNT)
                    ? new Site(site, operation, kind, count + (long) sample.value(), seconds)
                    : new Site(site, operation, kind, count, seconds + sample.value());
        }
    }

    static Pins of(List<Sample> samples) throws LaunchException {
        if (samples.stream().noneMatch(sample -> sample.name().equals(PINNED + SUM))) {
            throw new LaunchException("the agent's endpoint shows no " + PINNED);
        }
        return new Pins(sum(samples, PINNED + SUM), countByKind(samples), sites(samples));
    }

    /**
     * Returns the sites that a user can change: not those of the JVM, nor a small rest without a
     * stack.
     */
    List<Site> rows() {
        return sites.stream()
                .filter(site -> !site.kind.equals("jvm"))
                .filter(
                        site ->
                                !site.site.equals("(unattributed)")
                                        || site.seconds > SMALL_REST * heldSeconds)
                .toList();
    }

    /** The held time that sites account for, in seconds. */
    double siteSeconds() {
        return sites.stream().mapToDouble(Site::seconds).sum();
    }

    /**
     * Returns a line on pins that the sampler found too rarely to attribute them to a site, if
     * there are any.
     */
    Optional<String> rare() {
        double rest = heldSeconds - siteSeconds();
        return rest < MIN_SECONDS
                ? Optional.empty()
                : Optional.of(
                        "too few samples for a site: at most %s"
                                .formatted(Quantity.duration(rest)));
    }

    /**
     * Returns the figures that a case may see, with those that {@code samples} have of pins in
     * progress.
     */
    AgentFigures seen(List<Sample> samples) {
        Map<String, Double> secondsBySite = new HashMap<>();
        sites.forEach(site -> secondsBySite.merge(site.site, site.seconds, Double::sum));
        return new AgentFigures(secondsBySite, sum(samples, LONGEST));
    }

    /**
     * Returns a line on what the sums leave out: carriers that are held for long by pins that have
     * not ended.
     */
    static Optional<String> stillHeld(List<Sample> samples) {
        double longest = sum(samples, LONGEST);
        return longest < LONG_SECONDS
                ? Optional.empty()
                : Optional.of(
                        "Carriers that are still held: %.0f, the longest for %s, which the time held leaves out."
                                .formatted(sum(samples, ACTIVE), Quantity.duration(longest)));
    }

    private static double sum(List<Sample> samples, String name) {
        return samples.stream()
                .filter(sample -> sample.name().equals(name))
                .mapToDouble(Sample::value)
                .sum();
    }

    private static Map<String, Long> countByKind(List<Sample> samples) {
        Map<String, Long> countByKind = new LinkedHashMap<>();
        samples.stream()
                .filter(sample -> sample.name().equals(PINNED_SITE + COUNT) && sample.value() > 0)
                .sorted(Comparator.comparingInt(sample -> KINDS.indexOf(sample.label("kind"))))
                .forEach(
                        sample ->
                                countByKind.merge(
                                        sample.label("kind"), (long) sample.value(), Long::sum));
        return countByKind;
    }

    private static List<Site> sites(List<Sample> samples) {
        Map<List<String>, Site> sites = new HashMap<>();
        for (Sample sample : samples) {
            if (sample.name().equals(PINNED_SITE + COUNT)
                    || sample.name().equals(PINNED_SITE + SUM)) {
                Site none =
                        new Site(
                                sample.label("site"),
                                sample.label("operation"),
                                sample.label("kind"),
                                0,
                                0);
                sites.merge(
                        List.of(none.site, none.operation, none.kind),
                        none.plus(sample),
                        (site, first) -> site.plus(sample));
            }
        }
        List<Site> byTime = new ArrayList<>(sites.values());
        byTime.removeIf(site -> site.count == 0);
        byTime.sort(Comparator.comparingDouble(Site::seconds).reversed());
        return byTime;
    }
}
