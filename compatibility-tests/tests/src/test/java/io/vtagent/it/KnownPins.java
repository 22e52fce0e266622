package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import java.util.Map;

/** The pins that an application was asked for, as the agent must have counted them. */
final class KnownPins {
    private static final String PINS = "io.vtagent.compatibility.pins.Pins";
    private static final int INITIALIZERS = 4;

    private KnownPins() {}

    /**
     * Checks that {@code times} parks and waits in a monitor and all the parks in class
     * initializers are counted, at no other site.
     *
     * @param metrics what came to them since before
     */
    static void areCounted(Metrics metrics, Jdk jdk, int times) {
        Map<String, Long> parks = metrics.sites("park");
        Map<String, Long> waits = metrics.sites("wait");
        int inMonitors = jdk.monitorsPin() ? times : 0;
        System.out.printf(
                "%s: counted %d of %d parks and %d of %d waits%n",
                jdk,
                at(parks, "$Monitor.sleep:", "$Initializer"),
                inMonitors + INITIALIZERS,
                at(waits, "$Monitor.await:"),
                inMonitors);
        // the JVM's own timer wakes one early once in a while: to sleep on, it parks again
        assertThat(at(parks, "$Monitor.sleep:", "$Initializer"))
                .as(metrics.text())
                .isBetween(inMonitors + (long) INITIALIZERS, inMonitors + INITIALIZERS + 4L);
        assertThat(at(waits, "$Monitor.await:")).as(metrics.text()).isEqualTo(inMonitors);
        assertThat(metrics.value("vthread_agent_classes_total", "outcome", "failed")).isZero();
    }

    /**
     * Returns how many pins are at those sites. The first pins of a JVM are slow to attribute, and
     * count, too.
     */
    private static long at(Map<String, Long> sites, String... holders) {
        return sites.entrySet().stream()
                .filter(
                        site ->
                                site.getKey().equals("(unattributed)")
                                        || List.of(holders).stream()
                                                .anyMatch(
                                                        holder ->
                                                                site.getKey()
                                                                        .startsWith(PINS + holder)))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Returns whether at least one pin of each kind has been attributed to the code that pins. */
    static boolean areNamed(Metrics metrics, Jdk jdk) {
        return named(metrics.sites("park"), "$Monitor.sleep:") == jdk.monitorsPin()
                && named(metrics.sites("wait"), "$Monitor.await:") == jdk.monitorsPin();
    }

    private static boolean named(Map<String, Long> sites, String holder) {
        return sites.keySet().stream().anyMatch(site -> site.startsWith(PINS + holder));
    }
}
