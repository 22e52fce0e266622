package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.PinKind;
import io.vtagent.vm.Snapshot;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What is asleep is parked; the tests say what the JVM tells of it. */
class SightReaderTest {
    private static final Thread CARRIER = new Thread(() -> {});

    private final CountDownLatch end = new CountDownLatch(1);
    private final Thread asleep = new Thread(this::sleep);
    private final SightReader spent = new SightReader(spent());
    private int asked;

    @BeforeEach
    void start() {
        asleep.start();
        while (asleep.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }
    }

    @AfterEach
    void end() throws InterruptedException {
        end.countDown();
        asleep.join();
    }

    private void sleep() {
        try {
            end.await();
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
        }
    }

    /** For as long as no time passes there is nothing left. */
    private static SnapshotBudget spent() {
        long[] usedNanos = {0};
        SnapshotBudget budget = new SnapshotBudget(() -> usedNanos[0]);
        budget.spend(() -> usedNanos[0] = SnapshotBudget.FIRST_NANOS);
        return budget;
    }

    @ParameterizedTest
    @CsvSource({
        "true, true, NATIVE, true",
        "false, true, JVM, false",
        "true, false, NATIVE, false",
        "false, false, NATIVE, false"
    })
    void withoutAStackTheJvmTellsWhetherItIsNativeCode(
            boolean inNativeCode, boolean still, PinKind kind, boolean known) {
        Sight sight = sight(false, inNativeCode, still);
        assertThat(spent.stack(sight, null)).isNull();

        Sleep sleep = spent.sleep(sight, null, null);

        assertThat(sleep.kind(false)).isEqualTo(kind);
        assertThat(sleep.inNativeMethod()).as("known to be").isEqualTo(known);
    }

    /** What it says then may be of what comes next. */
    @Test
    void whatTheJvmTellsOfASleepThatIsOverByThenIsNotOfIt() {
        Sight sight =
                new Sight(CARRIER, asleep, false, () -> 1, () -> asked == 0, this::asked, () -> false, () -> true);
        assertThat(spent.sleep(sight, null, spent.stack(sight, null))).isEqualTo(Sleep.UNKNOWN);

        asked = 0;
        SightReader reader = new SightReader(new SnapshotBudget(System::nanoTime));
        Snapshot stack = Objects.requireNonNull(reader.unlessItWentOn(reader.stack(sight, null)));
        assertThat(reader.sleep(sight, null, stack)).isEqualTo(Sleep.in(stack, false));
    }

    private boolean asked() {
        asked++;
        return true;
    }

    @Test
    void ofTheSameNapItIsKnownAlready() {
        Sleep before = spent.sleep(sight(false, false, true), null, null);
        Sight again = sight(false, true, true);
        SampledPin earlier = pin(1, before);

        assertThat(spent.sleep(again, earlier, null)).isEqualTo(before);
        assertThat(asked).isEqualTo(1);
        assertThat(spent.sleep(again, pin(2, before), null).kind(false)).isEqualTo(PinKind.NATIVE);
    }

    @Test
    void whoWaitsToEnterAMonitorIsNotAsked() {
        assertThat(spent.sleep(sight(true, true, true), null, null)).isEqualTo(Sleep.UNKNOWN);
        assertThat(asked).isZero();
    }

    /** Whoever calls java.lang.foreign has frames that look like Java. */
    @ParameterizedTest
    @CsvSource({"true, NATIVE", "false, JVM"})
    void besideAStackTheJvmTellsItToo(boolean inNativeCode, PinKind kind) {
        SightReader reader = new SightReader(new SnapshotBudget(System::nanoTime));
        Sight sight = sight(false, inNativeCode, true);
        Snapshot stack = reader.unlessItWentOn(reader.stack(sight, null));

        assertThat(stack).isNotNull();
        assertThat(reader.sleep(sight, null, stack).kind(false)).isEqualTo(kind);
    }

    @Test
    void theStackOfWhatItDidNextIsNoStack() {
        SightReader reader = new SightReader(new SnapshotBudget(System::nanoTime));
        Snapshot taken = reader.stack(sight(false, true, false), null);

        assertThat(taken).isNotNull();
        assertThat(reader.unlessItWentOn(taken)).isNull();
    }

    private static SampledPin pin(long nap, Sleep sleep) {
        return SampledPin.seen(CARRIER, Thread.currentThread(), false, nap, SeenTime.once(1), null, sleep);
    }

    private Sight sight(boolean entering, boolean inNativeCode, boolean still) {
        return new Sight(
                CARRIER,
                asleep,
                entering,
                () -> 1,
                () -> still,
                () -> {
                    asked++;
                    return inNativeCode;
                },
                () -> false,
                () -> true);
    }
}
