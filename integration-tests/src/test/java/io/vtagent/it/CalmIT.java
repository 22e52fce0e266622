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

/** Where no virtual thread has run for a minute, the agent keeps still, too. */
@Tag("long")
final class CalmIT {
    private static final Duration LIMIT = Duration.ofMinutes(3);
    private static final double NANOS_PER_SECOND = 1e9;
    private static final int MILLIS = 500;

    /** More than a second that is about to be told. */
    private static final int UNTOLD = 3;

    private static final String DATA = "data:";
    private static final int EVENTS = 5;

    /** What the history has. */
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
    void itTellsNothingButWhoeverLooksSeesEachSecondAndWhatComesNextIsOfItsOwnSecond() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .vm("-Djdk.reflect.useNativeAccessorOnly=true")
                        .agent("port=0,report=off")
                        .main(NativeFrames.class, "park", MILLIS)
                        .awaitLine("warm")) {
            Endpoint endpoint = jvm.endpoint();
            long told = awaitUntold(endpoint);

            await("a feed of each second").atMost(LIMIT).until(() -> isFedEachSecond(endpoint));

            long untold = awaitUntold(endpoint);
            assertThat(untold).isGreaterThan(told);
            jvm.proceed().awaitDone();
            await("the pin")
                    .atMost(LIMIT)
                    .until(
                            () -> {
                                Kept kept = Kept.by(endpoint);
                                return kept.held(untold, kept.newest() + 1) >= 0.9 * MILLIS;
                            });
            assertThat(Kept.by(endpoint).held(untold, untold + UNTOLD))
                    .as("in the seconds that were told late")
                    .isZero();
        }
    }

    /** Waits until some seconds have not been told; the first of them. */
    private static long awaitUntold(Endpoint endpoint) {
        return await("a calm")
                .atMost(LIMIT)
                .until(
                        () -> Kept.by(endpoint).newest() + 1,
                        untold -> now(endpoint) - untold > UNTOLD);
    }

    private static long now(Endpoint endpoint) {
        return (long) (endpoint.report().get("uptimeNanos").number() / NANOS_PER_SECOND);
    }

    /**
     * Whether one connection is fed as often as seconds go by, but for the first that comes, which
     * tells of those before, too.
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
                    && seconds.stream().skip(2).allMatch(each -> each <= UNTOLD);
        } catch (UncheckedIOException cut) {
            return false;
        }
    }
}
