package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePins;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.site.PinnedStack;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class WaitAttributionTest {
    private static final Thread THREAD = Thread.currentThread();

    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(1), 10, Buckets.SINGLE);
    private final Site first = site("a.B.first:1");
    private final Site second = site("a.B.second:2");
    private final List<List<ActivePin>> asked = new ArrayList<>();
    private long cpuNanos;
    private final WaitAttribution attribution =
            new WaitAttribution(ledger, carrier -> true, new StackBudget(() -> cpuNanos));

    @Test
    void theTimeIsSharedEquallyByThePinsThatNobodyCompensatesFor() {
        add(90, pin(first, false), pin(second, false), pin(second, true), pin(null, false));

        assertThat(first.waitedNanos()).isEqualTo(30);
        assertThat(second.waitedNanos()).isEqualTo(30);
        assertThat(ledger.waitedUnattributedNanos(PinKind.PARK)).isEqualTo(30);
    }

    @Test
    void ifAllAreCompensatedForTheyShareIt() {
        add(90, pin(first, true), pin(second, true));

        assertThat(first.waitedNanos()).isEqualTo(45);
        assertThat(second.waitedNanos()).isEqualTo(45);
    }

    @Test
    void whatNoPinIsKnownForIsKeptForTheNextOne() {
        add(50);
        add(40, pin(first, false));

        assertThat(first.waitedNanos()).isEqualTo(90);
    }

    @Test
    void whatCannotBeDividedIsKeptForTheNextOnesToo() {
        add(100, pin(first, false), pin(second, false), pin(null, false));
        add(2, pin(first, false), pin(second, false), pin(null, false));

        assertThat(first.waitedNanos()).isEqualTo(34);
        assertThat(second.waitedNanos()).isEqualTo(34);
        assertThat(ledger.waitedUnattributedNanos(PinKind.PARK)).isEqualTo(34);
    }

    @Test
    void nothingIsReadWhileNobodyWaits() {
        add(0, pin(first, false));

        assertThat(asked).isEmpty();
        assertThat(first.waitedNanos()).isZero();
    }

    @Test
    void withoutBudgetForStacksThePinsThatHooksHaveReportedShareIt() {
        attribution.add(
                10,
                1,
                List.of(),
                () -> {
                    cpuNanos += 2 * StackBudget.FIRST_NANOS;
                    return List.of();
                });
        attribution.add(
                30,
                1,
                List.of(pin(first, false)),
                () -> {
                    throw new AssertionError("the budget is spent");
                });

        assertThat(first.waitedNanos()).isEqualTo(40);
    }

    @Test
    void aPinOnAnotherSchedulerMakesNobodyWait() {
        WaitAttribution ofNone =
                new WaitAttribution(ledger, carrier -> false, new StackBudget(() -> 0));
        ofNone.add(10, 1, List.of(), () -> List.of(pin(first, false)));

        assertThat(first.waitedNanos()).isZero();
    }

    private void add(double nanos, ActivePin... pins) {
        attribution.add(
                nanos,
                1,
                List.of(),
                () -> {
                    asked.add(List.of(pins));
                    return List.of(pins);
                });
    }

    private static ActivePin pin(@Nullable Site site, boolean compensated) {
        return ActivePins.of(
                PinKind.PARK, PinReason.MONITOR, 1, THREAD, THREAD, compensated, site, null);
    }

    private Site site(String holder) {
        return ledger.siteOf(
                PinKind.PARK,
                PinReason.MONITOR,
                new PinnedStack(
                        List.of(holder),
                        0,
                        holder,
                        PinnedStack.Cause.MONITOR,
                        null,
                        "op",
                        null,
                        null,
                        Map.of()));
    }
}
