package io.vtagent.cli;

import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.cli.SitePair.Status;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class SitePairsTest {
    private static List<String> compared(List<Held> before, List<Held> after) {
        return pairs(before, after).pairs().stream()
                .map(pair -> pair.status() + " " + name(pair.before()) + " " + name(pair.after()))
                .sorted()
                .toList();
    }

    private static String name(@Nullable Held held) {
        return held == null ? "-" : held.site().site();
    }

    private static SitePairs pairs(List<Held> before, List<Held> after) {
        PinReport old = Reports.of(SECOND, before.toArray(Held[]::new));
        return SitePairs.of(old, Reports.of(SECOND, after.toArray(Held[]::new)));
    }

    @Test
    void aSiteOfTheSameNameIsTheSame() {
        assertThat(
                        compared(
                                List.of(site("a.B.c:1", 1, 1), site("a.B.c:2", 1, 1)),
                                List.of(site("a.B.c:2", 1, 1), site("a.B.c:1", 1, 1))))
                .containsExactly("SAME a.B.c:1 a.B.c:1", "SAME a.B.c:2 a.B.c:2");
    }

    @Test
    void theOnlyOneLeftInAMethodHasMoved() {
        assertThat(
                        compared(
                                List.of(site("a.B.c:1", 1, 1), site("a.B.c:2", 1, 1)),
                                List.of(site("a.B.c:2", 1, 1), site("a.B.c:9", 1, 1))))
                .containsExactly("MOVED a.B.c:1 a.B.c:9", "SAME a.B.c:2 a.B.c:2");
    }

    @Test
    void aLambdaThatGotAnotherNumberHasMoved() {
        assertThat(
                        compared(
                                List.of(site("a.B.lambda$c$0:1", 1, 1)),
                                List.of(site("a.B.lambda$c$1:7", 1, 1))))
                .containsExactly("MOVED a.B.lambda$c$0:1 a.B.lambda$c$1:7");
    }

    @Test
    void severalInAMethodAreNotGuessedAt() {
        List<Held> before = List.of(site("a.B.c:1", 1, 1), site("a.B.c:2", 1, 1));
        List<Held> after = List.of(site("a.B.c:8", 1, 1), site("a.B.c:9", 1, 1));

        assertThat(compared(before, after))
                .containsExactly(
                        "GONE a.B.c:1 -", "GONE a.B.c:2 -", "NEW - a.B.c:8", "NEW - a.B.c:9");
        assertThat(pairs(before, after).ambiguous()).isEqualTo(2);
        assertThat(pairs(before.subList(0, 1), after).ambiguous()).isEqualTo(2);
        assertThat(pairs(before.subList(0, 1), List.of()).ambiguous()).isZero();
    }

    @Test
    void whatIsElsewhereOrDoesSomethingElseIsNew() {
        Held parked = site("a.B.c:1", 1, 1);
        Held waiting =
                site(
                        new PinSite("a.B.c:2", "a.B.c:2", "java.lang.Thread.sleep", PinKind.WAIT),
                        1,
                        1,
                        1);
        Held reading =
                site(
                        new PinSite("a.B.c:2", "a.B.c:2", "java.io.Reader.read", PinKind.PARK),
                        1,
                        1,
                        1);
        Held called =
                site(
                        new PinSite("a.B.c:2", "x.Y.z:3", "java.lang.Thread.sleep", PinKind.PARK),
                        1,
                        1,
                        1);

        assertThat(compared(List.of(parked), List.of(waiting, reading, called)))
                .containsExactly(
                        "GONE a.B.c:1 -", "NEW - a.B.c:2", "NEW - a.B.c:2", "NEW - a.B.c:2");
        assertThat(pairs(List.of(parked), List.of(waiting, reading, called)).pairs())
                .extracting(SitePair::status)
                .doesNotContain(Status.MOVED);
    }
}
