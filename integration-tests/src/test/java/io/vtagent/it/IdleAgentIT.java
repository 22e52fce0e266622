package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.NativeFrames;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** An agent in a JVM in which no virtual thread has run for a minute: it becomes idle, too. */
@Tag("long")
final class IdleAgentIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MILLIS = 500;

    /** More than the one second that is about to be published. */
    private static final int UNPUBLISHED = 3;

    private static final String DATA = "data:";
    private static final int EVENTS = 5;

    /** The content of the history. */
    private record Kept(long first, Json seconds) {
        static Kept by(Endpoint endpoint) {
            Json history = Json.parse(endpoint.get("/api/history", "application/json").body());
            return new Kept((long) history.get("first").number(), history.get("seconds"));
        }

        long newest() {
            return first + seconds.get("carriers").list().size() - 1;
        }

        /**
         * Carriers that were held in the seconds from {@code from} to before {@code to}, in
         * thousandths of one for a second.
         */
        double held(long from, long to) {
            double sum = 0;
            for (String kind :
                    List.of("park", "wait", "enter", "io", "class_init", "native", "jvm")) {
                List<Json> column = seconds.get("held_" + kind).list();
                for (Json second : column.subList((int) (from - first), (int) (to - first))) {
                    sum += second.number();
                }
            }
            return sum;
        }
    }

    @Test
    void itPublishesNothingButARequestGetsEachSecondAndWhatComesNextIsOfItsOwnSecond() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=off")
                        .main(NativeFrames.class, "park", MILLIS)
                        .awaitLine("warm")) {
            Endpoint endpoint = jvm.endpoint();
            long reported = awaitUnpublished(endpoint);

            await("a feed of each second").atMost(LIMIT).until(() -> isFedEachSecond(endpoint));

            long unpublished = awaitUnpublished(endpoint);
            assertThat(unpublished).isGreaterThan(reported);
            jvm.proceed().awaitDone();
            await("the pin")
                    .atMost(LIMIT)
                    .until(
                            () -> {
                                Kept kept = Kept.by(endpoint);
                                return kept.held(unpublished, kept.newest() + 1) >= 0.9 * MILLIS;
                            });
            assertThat(Kept.by(endpoint).held(unpublished, unpublished + UNPUBLISHED))
                    .as("in the seconds that were told late")
                    .isZero();
        }
    }

    /** Waits until some seconds have not been published, and returns the first of them. */
    private static long awaitUnpublished(Endpoint endpoint) {
        return await("a calm")
                .atMost(LIMIT)
                .until(
                        () -> Kept.by(endpoint).newest() + 1,
                        unpublished -> now(endpoint) - unpublished > UNPUBLISHED);
    }

    private static long now(Endpoint endpoint) {
        return (long) (endpoint.report().get("uptimeNanos").number() / NANOS_PER_SECOND);
    }

    /**
     * Returns whether one connection receives an event each second. The first event does not count,
     * because it also contains the seconds before.
     */
    private static boolean isFedEachSecond(Endpoint endpoint) throws IOException {
        try (BufferedReader lines =
                new BufferedReader(
                        new InputStreamReader(
                                endpoint.base().resolve("/api/live").toURL().openStream(),
                                StandardCharsets.UTF_8))) {
            List<Integer> seconds =
                    lines.lines()
                            .filter(line -> line.startsWith(DATA))
                            .map(
                                    line ->
                                            Json.parse(line.substring(DATA.length()))
                                                    .get("history")
                                                    .get("seconds")
                                                    .get("carriers")
                                                    .list()
                                                    .size())
                            .limit(EVENTS)
                            .toList();
            return seconds.size() == EVENTS
                    && seconds.stream().skip(2).allMatch(each -> each <= UNPUBLISHED);
        } catch (UncheckedIOException cut) {
            return false;
        }
    }
}
