package io.vtagent.exporter.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.record.EndedPin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanEventsTest {
    private static final long MIN_NANOS = 20_000_000;
    private static final ThreadLocal<@Nullable Object> CURRENT = new ThreadLocal<>();

    private final List<Object> added = new ArrayList<>();
    private final OtelSdk sdk =
            new OtelSdk(
                    (instruments, values) -> () -> {},
                    CURRENT,
                    "",
                    (context, event) -> added.add(context),
                    events -> {});
    private final SpanEvents events = new SpanEvents(sdk, CURRENT, MIN_NANOS);

    @AfterEach
    void forget() {
        CURRENT.remove();
    }

    @Test
    void aPinIsTheEventOfTheContextThatWasCurrentAtItsEnd() {
        CURRENT.set("first");
        events.ended(pin(MIN_NANOS, true));
        CURRENT.set("second");
        events.ended(pin(2 * MIN_NANOS, true));

        assertThat(events.apply("second"::equals))
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(event)
                                        .containsEntry("kind", "park")
                                        .containsEntry("reason", "monitor")
                                        .containsEntry("site", "(unattributed)")
                                        .containsEntry("duration", 0.04)
                                        .containsKey(OtelSdk.ENDED_AT_NANOS));
        assertThat(events.apply("second"::equals)).isEmpty();
        assertThat(events.apply("first"::equals)).hasSize(1);
    }

    @Test
    void shortPinsSampledPinsAndPinsWithoutAContextAreNone() {
        CURRENT.set("context");
        events.ended(pin(MIN_NANOS - 1, true));
        events.ended(pin(MIN_NANOS, false));
        CURRENT.remove();
        events.ended(pin(MIN_NANOS, true));

        assertThat(events.apply(context -> true)).isEmpty();
    }

    @Test
    void aSpanThatLastsGetsItsEventsBeforeItEndsAndOnce() {
        CURRENT.set("context");
        events.ended(pin(MIN_NANOS, true, System.nanoTime()));
        events.addOverdue();
        assertThat(added).isEmpty();

        events.ended(pin(MIN_NANOS, true, System.nanoTime() - 2 * SpanEvents.MAX_WAITING_NANOS));
        events.addOverdue();
        assertThat(added).containsExactly("context");

        events.addAll();
        events.addAll();
        assertThat(added).containsExactly("context", "context");
        assertThat(events.apply(context -> true)).isEmpty();
    }

    @Test
    void soManyAreKeptAndNoMore() {
        CURRENT.set("context");
        for (int i = 0; i <= SpanEvents.MAX_WAITING; i++) {
            events.ended(pin(MIN_NANOS, true));
        }

        assertThat(events.apply(context -> true)).hasSize(SpanEvents.MAX_WAITING);

        events.ended(pin(MIN_NANOS, true));
        List<Map<String, Object>> more = events.apply(context -> true);
        assertThat(more).hasSize(1);
    }

    @Test
    void warmingUpLeavesNothing() {
        events.warmUp();

        events.addAll();
        assertThat(added).isEmpty();
    }

    private static EndedPin pin(long nanos, boolean onItsThread) {
        return pin(nanos, onItsThread, System.nanoTime());
    }

    private static EndedPin pin(long nanos, boolean onItsThread, long endedAtNanos) {
        Thread thread = Thread.currentThread();
        return new EndedPin(
                PinKind.PARK,
                PinReason.MONITOR,
                false,
                null,
                nanos,
                endedAtNanos,
                thread,
                thread.threadId(),
                onItsThread);
    }
}
