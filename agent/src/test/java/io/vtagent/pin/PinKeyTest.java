package io.vtagent.pin;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PinKeyTest {

    @Test
    void whereMonitorsPinTheyAreExpectedToAndWaitsHaveNoOtherReason() {
        assertThat(PinKey.expected(true))
                .extracting(PinKeyTest::inWords)
                .containsExactly(
                        "park monitor",
                        "wait monitor",
                        "park native",
                        "park class_init",
                        "park critical_section",
                        "wait monitor compensated",
                        "enter monitor",
                        "io none",
                        "io none compensated",
                        "class_init class_init",
                        "native none",
                        "jvm none");
    }

    @Test
    void whereMonitorsDoNotPinNoneIsExpectedTo() {
        assertThat(PinKey.expected(false))
                .extracting(PinKeyTest::inWords)
                .containsExactly(
                        "park native",
                        "wait native",
                        "park class_init",
                        "wait class_init",
                        "park critical_section",
                        "io none",
                        "io none compensated",
                        "class_init class_init",
                        "native none",
                        "jvm none");
    }

    @Test
    void everyKeyIsFoundAtItsIndex() {
        for (PinKind kind : PinKind.values()) {
            for (PinReason reason : PinReason.values()) {
                for (boolean compensated : new boolean[] {false, true}) {
                    assertThat(PinKey.at(PinKey.index(kind, reason, compensated)))
                            .isEqualTo(new PinKey(kind, reason, compensated));
                }
            }
        }
    }

    @ParameterizedTest
    @CsvSource({
        "NATIVE, CLASS_INIT, CLASS_INIT",
        "NATIVE, NATIVE, NATIVE",
        "MONITOR, CLASS_INIT, MONITOR",
        "CRITICAL_SECTION, CLASS_INIT, CLASS_INIT",
        "CRITICAL_SECTION, CLASS_LOADER, CRITICAL_SECTION"
    })
    void whatTheJvmCallsByAVaguerNameIsTheInitializerThatItRuns(
            PinReason reported, PinnedStack.Cause cause, PinReason refined) {
        PinnedStack stack =
                new PinnedStack(List.of(), -1, "A.a:1", cause, null, "", null, null, Map.of());
        assertThat(reported.refinedBy(stack)).isEqualTo(refined);
    }

    @ParameterizedTest
    @CsvSource({
        "MONITOR, MONITOR",
        "NATIVE, NATIVE",
        "CLASS_INIT, CLASS_INIT",
        "CRITICAL_SECTION, CRITICAL_SECTION",
        "EXCEPTION, NONE"
    })
    void whatTheJvmReportsIsUnderstoodAndTheUnknownIsNoReason(String pinned, PinReason reason) {
        assertThat(PinReason.ofFailedYield(pinned)).isEqualTo(reason);
    }

    private static String inWords(PinKey key) {
        return key.kind().label()
                + " "
                + key.reason().label()
                + (key.compensated() ? " compensated" : "");
    }
}
