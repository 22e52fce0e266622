package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** The report that the agent writes when its JVM ends, which contains everything until then. */
record FinalReport(Json json) {
    private static final double NANOS_PER_SECOND = 1e9;

    /** Lets {@code jvm} end, which writes it to {@code file}. */
    static FinalReport of(ForkedJvm jvm, Path file) {
        assertThat(jvm.end()).as(jvm::toString).isZero();
        try {
            return new FinalReport(Json.parse(Files.readString(file)));
        } catch (IOException missing) {
            throw new UncheckedIOException(missing);
        }
    }

    /** How many pins of {@code kind} and {@code reason} there were. */
    long pins(String kind, String reason) {
        return json.get("totals").list().stream()
                .filter(
                        total ->
                                total.get("kind").string().equals(kind)
                                        && total.get("reason").string().equals(reason))
                .mapToLong(total -> (long) total.get("count").number())
                .sum();
    }

    long pins(String kind) {
        return totals(kind).stream().mapToLong(total -> (long) total.get("count").number()).sum();
    }

    /** For how long they held their carriers. */
    double heldSeconds(String kind) {
        return totals(kind).stream().mapToDouble(total -> total.get("heldNanos").number()).sum()
                / NANOS_PER_SECOND;
    }

    double heldSeconds() {
        return json.get("heldNanos").number() / NANOS_PER_SECOND;
    }

    private List<Json> totals(String kind) {
        return those("totals", kind);
    }

    /** The sites of {@code kind}, the one of the longest time first. */
    List<Json> sites(String kind) {
        return those("sites", kind);
    }

    private List<Json> those(String list, String kind) {
        return json.get(list).list().stream()
                .filter(each -> each.get("kind").string().equals(kind))
                .toList();
    }
}
