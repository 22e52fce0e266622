package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.vm.Snapshot;
import java.util.List;
import org.junit.jupiter.api.Test;

final class EventNeedTest {
    private static final Thread CARRIER = new Thread(() -> {});
    private static final Sleep IN_JVM = new Sleep(List.of(), false, false, false, false);
    private static final Sleep IN_CODE = new Sleep(List.of(), false, false, false, true);
    private static final Sleep FOR_CLASS = new Sleep(List.of(String.class), true, false, false, false);

    private static final StackTraceElement LOADS = frame("jdk.internal.loader.BuiltinClassLoader", "loadClassOrNull");

    private int starts;
    private final EventNeed need = new EventNeed("shop.Wrapped"::equals, () -> starts++);

    @Test
    void whatTheEventsWouldTellAddsUpUntilTheyAreWorthIt() {
        need.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS / 2));
        need.looked(List.of(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS / 2 - 1)), 0);
        assertThat(starts).isZero();
        need.looked(List.of(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS / 2)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void waitsForClassesWeighLess() {
        long nanos = EventNeed.CLASS_PART * EventNeed.WORTH_NANOS;
        need.ended(pin(false, FOR_CLASS, nanos / 2));
        need.looked(List.of(entering(nanos / 2 - EventNeed.CLASS_PART, LOADS)), 0);
        assertThat(starts).isZero();
        need.looked(List.of(entering(nanos / 2, LOADS)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void otherMonitorsOfAClassLoaderWeighAsMuchAsAny() {
        need.looked(List.of(entering(EventNeed.WORTH_NANOS, frame("java.lang.ClassLoader", "getPackages"))), 0);
        assertThat(starts).isOne();
    }

    /** Of who loses a free monitor, since they have timed all others: the looks count that, and the events would not. */
    @Test
    void entriesOfClassesThatTellThemThemselvesWeighNothing() {
        need.looked(List.of(entering(2 * EventNeed.WORTH_NANOS, frame("shop.Wrapped", "sell"))), 0);
        assertThat(starts).isZero();
        need.looked(List.of(entering(2 * EventNeed.WORTH_NANOS, frame("shop.Other", "sell"))), 0);
        assertThat(starts).isOne();
    }

    /** Of that no event tells, and that is known without a stack. */
    @Test
    void nativeCodeWeighsNothing() {
        need.looked(List.of(withoutStack(false, 8 * EventNeed.WORTH_NANOS).in(Sleep.UNKNOWN.told(true))), 0);
        assertThat(starts).isZero();
        need.looked(List.of(withoutStack(false, 8 * EventNeed.WORTH_NANOS).in(Sleep.UNKNOWN.told(false))), 0);
        assertThat(starts).isOne();
    }

    @Test
    void whatIsEnteredBelowAClassLoaderWeighsAsMuchAsAny() {
        need.looked(List.of(entering(EventNeed.WORTH_NANOS, frame("java.util.Hashtable", "get"), LOADS)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void whatTurnsOutToHaveBeenAWaitForAClassWeighsLess() {
        need.ended(pin(true, FOR_CLASS, EventNeed.CLASS_PART * EventNeed.WORTH_NANOS - EventNeed.CLASS_PART));
        need.looked(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, FOR_CLASS, EventNeed.CLASS_PART));
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    /** Who waits for a class that another thread links has the state of one that enters a monitor, until it is over. */
    @Test
    void whatMayBeAWaitForAClassWeighsLessUntilItIsOver() {
        Sleep mayBeForClass = new Sleep(List.of(String.class), false, false, false, false);
        need.looked(List.of(pin(true, mayBeForClass, EventNeed.CLASS_PART * (EventNeed.WORTH_NANOS - 1))), 0);
        need.ended(pin(true, mayBeForClass, EventNeed.WORTH_NANOS - 1));
        need.looked(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, mayBeForClass, 1));
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void theyAreStartedOnce() {
        need.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        need.looked(List.of(), 0);
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void whereTheyCouldNotBeStartedItIsTriedAgainWhenThereIsTwiceAsMuch() {
        int[] tries = {0};
        EventNeed unlucky = new EventNeed(type -> false, () -> {
            tries[0]++;
            if (tries[0] == 1) {
                throw new OutOfMemoryError("a test's");
            }
        });
        unlucky.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.looked(List.of(), 0)).isInstanceOf(OutOfMemoryError.class);
        unlucky.looked(List.of(), 0);
        assertThat(tries[0])
                .as("a look that fails each time is a watch that is lost")
                .isOne();
        unlucky.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        unlucky.looked(List.of(), 0);
        unlucky.looked(List.of(), 0);
        assertThat(tries[0]).isEqualTo(2);
    }

    @Test
    void whereTheyCouldNotBeStartedAsMuchIsEnoughOnceAllIsForgotten() {
        int[] tries = {0};
        EventNeed unlucky = new EventNeed(type -> false, () -> {
            tries[0]++;
            throw new OutOfMemoryError("a test's");
        });
        unlucky.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.looked(List.of(), 0)).isInstanceOf(OutOfMemoryError.class);
        lookAtNothing(unlucky, EventNeed.WORTH_NANOS);
        unlucky.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        assertThatThrownBy(() -> unlucky.looked(List.of(), 0)).isInstanceOf(OutOfMemoryError.class);
        assertThat(tries[0]).isEqualTo(2);
    }

    @Test
    void whatTheyWouldNotTellDoesNotCount() {
        need.ended(pin(false, IN_CODE, EventNeed.WORTH_NANOS));
        need.looked(List.of(pin(false, IN_JVM, EventNeed.WORTH_NANOS)), 0);
        assertThat(starts).isZero();
    }

    @Test
    void aGlimpseAfterARestStandsForLittle() {
        SeenTime rest = SeenTime.once(EventNeed.WORTH_NANOS, EventNeed.WORTH_NANOS, 10_000_000);
        for (int i = 0; i < 49; i++) {
            need.ended(pin(true, Sleep.UNKNOWN, rest));
        }
        need.looked(List.of(), 0);
        assertThat(starts).isZero();
        need.looked(List.of(pin(true, Sleep.UNKNOWN, rest)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void waitsThatNothingElseCountsDoAndWeighMore() {
        need.waited(EventNeed.WORTH_NANOS / EventNeed.UNCOUNTED_WEIGHT - 1);
        need.looked(List.of(), EventNeed.FORGOTTEN_PART * EventNeed.WORTH_NANOS);
        assertThat(starts).isZero();
        need.waited(1);
        need.looked(List.of(), EventNeed.FORGOTTEN_PART * EventNeed.WORTH_NANOS);
        assertThat(starts).isOne();
    }

    /** A service's first requests wait for class initializers, and the next ones for nothing. */
    @Test
    void whatWasSeenLongAgoIsForgotten() {
        long forgotten = EventNeed.WORTH_NANOS / 2;
        need.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS - 1));
        lookAtNothing(need, forgotten);
        need.ended(pin(true, Sleep.UNKNOWN, forgotten));
        need.looked(List.of(), 0);
        assertThat(starts).isZero();
        need.ended(pin(true, Sleep.UNKNOWN, 1));
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    /** Who looks once in 100 ms sees a fiftieth of a carrier's time as one glimpse in fifty looks, and takes each for 10 ms. */
    @Test
    void whereLooksAreFarApartNoLessIsEnough() {
        SeenTime rest = SeenTime.once(100_000_000, 100_000_000, 10_000_000);
        long most = EventNeed.WORTH_NANOS / EventNeed.MOST_BEFORE_SEEN_NANOS;
        for (int glimpse = 0; glimpse < 2 * most + 2; glimpse++) {
            for (int look = 0; look < EventNeed.FORGOTTEN_PART / 2; look++) {
                need.looked(List.of(), 100_000_000);
            }
            need.ended(pin(true, Sleep.UNKNOWN, rest));
        }
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void noMoreIsForgottenThanWasSeen() {
        lookAtNothing(need, EventNeed.WORTH_NANOS);
        need.ended(pin(true, Sleep.UNKNOWN, EventNeed.WORTH_NANOS));
        need.looked(List.of(), 0);
        assertThat(starts).isOne();
    }

    @Test
    void withoutAStackAWaitForAClassMayBe() {
        long nanos = EventNeed.CLASS_PART * EventNeed.WORTH_NANOS;
        need.looked(List.of(withoutStack(false, nanos - EventNeed.CLASS_PART)), 0);
        assertThat(starts).isZero();
        need.looked(List.of(withoutStack(false, nanos)), 0);
        assertThat(starts).isOne();
    }

    @Test
    void withoutAStackWhoEntersWaitsForAMonitor() {
        need.looked(List.of(withoutStack(true, EventNeed.WORTH_NANOS)), 0);
        assertThat(starts).isOne();
    }

    private static SampledPin withoutStack(boolean entering, long nanos) {
        return SampledPin.seen(CARRIER, CARRIER, entering, 0, lasting(nanos), null, Sleep.UNKNOWN);
    }

    private static void lookAtNothing(EventNeed need, long forgottenNanos) {
        long each = EventNeed.MOST_BEFORE_SEEN_NANOS / EventNeed.FORGOTTEN_PART;
        for (long nanos = 0; nanos < forgottenNanos; nanos += each) {
            need.looked(List.of(), EventNeed.MOST_BEFORE_SEEN_NANOS);
        }
    }

    private static SampledPin entering(long nanos, StackTraceElement... frames) {
        return seen(true, Sleep.UNKNOWN, lasting(nanos), List.of(frames));
    }

    private static StackTraceElement frame(String className, String method) {
        return new StackTraceElement(className, method, null, 1);
    }

    private static SampledPin pin(boolean entering, Sleep sleep, long nanos) {
        return pin(entering, sleep, lasting(nanos));
    }

    private static SampledPin pin(boolean entering, Sleep sleep, SeenTime time) {
        return seen(entering, sleep, time, List.of());
    }

    private static SampledPin seen(boolean entering, Sleep sleep, SeenTime time, List<StackTraceElement> frames) {
        return SampledPin.seen(
                CARRIER, new Thread(() -> {}), entering, 0, time, new Snapshot(frames, null, List.of()), sleep);
    }

    private static SeenTime lasting(long nanos) {
        return SeenTime.once(0).again(nanos);
    }
}
