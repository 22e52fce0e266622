package io.vtagent.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jfr.VmPin;
import io.vtagent.jfr.VmPin.Blocked;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class VmPinRecorderTest {
    private static final String WRAPPED = "shop.Wrapped";
    private static final String OTHER = "java.util.Hashtable";
    private static final PinnedStack STACK =
            new PinnedStack(
                    List.of(),
                    -1,
                    "A.a:1",
                    PinnedStack.Cause.NONE,
                    null,
                    "synchronized",
                    null,
                    null,
                    Map.of());

    @Test
    void entriesOfFiveMicrosecondsCountAndShorterOnesDoNot() {
        assertThat(counted(true, Blocked.ENTER, "MONITOR", 5_000, OTHER, false))
                .containsExactly(new PinKey(PinKind.ENTER, PinReason.MONITOR, false));
        assertThat(counted(true, Blocked.ENTER, "MONITOR", 4_999, OTHER, false)).isEmpty();
    }

    @ParameterizedTest
    @CsvSource({
        "ENTER, shop.Wrapped, false, true",
        "ENTER, shop.Wrapped, true, false", // a method that is still synchronized
        "ENTER, java.util.Hashtable, false, false",
        "WAIT, shop.Wrapped, false, false"
    })
    void onlyAnEntryIsLeftToItsClassIfThatIsWrapped(
            Blocked blocked, String innermost, boolean entersMethod, boolean reported) {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        VmPin pin =
                new VmPin(
                        1,
                        blocked,
                        "MONITOR",
                        0,
                        9_000,
                        innermost,
                        innermost + ".m",
                        entersMethod,
                        as -> STACK);
        assertThat(new VmPinRecorder(ledger, WRAPPED::equals).isLeftToItsClass(pin))
                .isEqualTo(reported);
    }

    @Test
    void waitsAreLeftToTheirSensorWhereItCountsThem() {
        assertThat(counted(true, Blocked.WAIT, "CRITICAL_SECTION", 9, OTHER, false)).isEmpty();
        assertThat(counted(false, Blocked.WAIT, "NATIVE", 9, OTHER, false)).isEmpty();
        assertThat(counted(false, Blocked.WAIT, "CLASS_INIT", 9, OTHER, false)).isEmpty();
        assertThat(counted(false, Blocked.WAIT, "CRITICAL_SECTION", 9, OTHER, false))
                .containsExactly(new PinKey(PinKind.WAIT, PinReason.CRITICAL_SECTION, false));
    }

    @Test
    void everyWaitForAnInitializerCounts() {
        assertThat(counted(true, Blocked.CLASS_INIT, "CLASS_INIT", 1, WRAPPED, false))
                .containsExactly(new PinKey(PinKind.CLASS_INIT, PinReason.CLASS_INIT, false));
    }

    @Test
    void aListenerGetsTheTimeWhenItEnded() {
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        List<EndedPin> reported = new ArrayList<>();
        ledger.addListener(reported::add);
        new VmPinRecorder(ledger, WRAPPED::equals)
                .accept(
                        new VmPin(
                                7,
                                Blocked.ENTER,
                                "MONITOR",
                                1_000,
                                9_000,
                                OTHER,
                                OTHER + ".m",
                                false,
                                as -> STACK));

        assertThat(reported)
                .singleElement()
                .satisfies(
                        pin -> {
                            assertThat(pin.threadId()).isEqualTo(7);
                            assertThat(pin.nanos()).isEqualTo(9_000);
                            assertThat(pin.endedAtNanos()).isEqualTo(10_000);
                        });
    }

    private static Iterable<PinKey> counted(
            boolean monitorsPin,
            Blocked blocked,
            String pinned,
            long nanos,
            String innermost,
            boolean entersMethod) {
        Ledger ledger = new Ledger(monitorsPin, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
        new VmPinRecorder(ledger, WRAPPED::equals)
                .accept(
                        new VmPin(
                                1,
                                blocked,
                                pinned,
                                0,
                                nanos,
                                innermost,
                                innermost + ".m",
                                entersMethod,
                                as -> STACK));
        assertThat(ledger.totals().nanos()).isIn(0L, nanos);
        return ledger.totals().byKey().keySet();
    }
}
