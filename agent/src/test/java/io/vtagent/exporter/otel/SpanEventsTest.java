package io.vtagent.exporter.otel;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SpanEventsTest {
    private static final long MIN_NANOS = 20_000_000;
    private static final ThreadLocal<@Nullable Object> CURRENT = new ThreadLocal<>();

    private final List<Object> added = new ArrayList<>();
    private final AtomicInteger identified = new AtomicInteger();
    private final OtelSdk.Spans spans =
            new OtelSdk.Spans(
                    CURRENT, this::spanOf, (context, event) -> added.add(context), events -> {});
    private final SpanEvents events = new SpanEvents(spans, MIN_NANOS);

    /** A context is the name of its span, with a number behind; some spans are not recorded. */
    private @Nullable Object spanOf(Object context) {
        identified.incrementAndGet();
        if (!(context instanceof String text)) {
            return null;
        }
        String name = text.split(" ", 2)[0];
        if (name.equals("foreign")) {
            throw new IllegalStateException("a test's");
        }
        return name.equals("unrecorded") ? null : name;
    }

    @AfterEach
    void forget() {
        CURRENT.remove();
    }

    @Test
    void aPinIsTheEventOfTheContextThatWasCurrentAtItsEnd() {
        CURRENT.set("first");
        events.ended(pin(MIN_NANOS, true));
        CURRENT.set("second 1");
        events.ended(pin(2 * MIN_NANOS, true));

        assertThat(events.apply("second"))
                .singleElement()
                .satisfies(
                        event ->
                                assertThat(event)
                                        .containsEntry("kind", "park")
                                        .containsEntry("reason", "monitor")
                                        .containsEntry("site", "(unattributed)")
                                        .containsEntry("duration", 0.04)
                                        .containsKey(OtelSdk.ENDED_AT_NANOS));
        assertThat(events.apply("second")).isEmpty();
        assertThat(events.apply("first")).hasSize(1);
    }

    @Test
    void pinsThatAreShortOrUnseenOrWithoutAContextAreNone() {
        CURRENT.set("context");
        events.ended(pin(MIN_NANOS - 1, true));
        events.ended(pin(MIN_NANOS, false));
        CURRENT.remove();
        events.ended(pin(MIN_NANOS, true));

        events.addAll();
        assertThat(added).isEmpty();
    }

    @Test
    void aSampledPinIsTheEventOfItsContextWithItsNewestDuration() {
        PinInContext lasts = new PinInContext("context", pin(MIN_NANOS, false));
        events.seen(lasts);
        events.addOverdue();
        assertThat(added).isEmpty();

        lasts.become(pin(3 * MIN_NANOS, false));
        assertThat(events.apply("other")).isEmpty();
        assertThat(events.apply("context"))
                .singleElement()
                .satisfies(event -> assertThat(event).containsEntry("duration", 0.06));
        lasts.become(pin(4 * MIN_NANOS, false));
        events.addAll();
        assertThat(added).isEmpty();
    }

    @Test
    void aSampledPinThatTurnsOutToBeNoneMakesRoom() {
        long longAgo = System.nanoTime() - 2 * SpanEvents.MAX_WAITING_NANOS;
        for (int i = 0; i < SpanEvents.MAX_WAITING; i++) {
            PinInContext sampled = new PinInContext("context", pin(MIN_NANOS, false));
            events.seen(sampled);
            sampled.become(i % 2 == 0 ? null : pin(MIN_NANOS - 1, false, longAgo));
        }
        events.addOverdue();
        assertThat(added).isEmpty();

        events.seen(new PinInContext("context", pin(MIN_NANOS, false)));
        assertThat(events.apply("context")).hasSize(1);
    }

    @Test
    void theContextOfAnotherThreadIsReadWhereOpenTelemetryKeepsIt() throws InterruptedException {
        AtomicReference<@Nullable Object> read = new AtomicReference<>();
        CURRENT.set("context");
        Thread current = Thread.currentThread();
        Thread.ofPlatform().start(() -> read.set(events.contextOf(current))).join();

        assertThat(read).hasValue("context");
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
        assertThat(events.apply("context")).isEmpty();
    }

    @Test
    void soManyAreKeptAndNoMore() {
        CURRENT.set("context");
        for (int i = 0; i <= SpanEvents.MAX_WAITING; i++) {
            events.ended(pin(MIN_NANOS, true));
        }

        assertThat(events.apply("context")).hasSize(SpanEvents.MAX_WAITING);

        events.ended(pin(MIN_NANOS, true));
        List<Map<String, Object>> more = events.apply("context");
        assertThat(more).hasSize(1);
    }

    @Test
    void theEndOfASpanCostsTheSameHoweverManyPinsWait() {
        for (int i = 0; i < SpanEvents.MAX_WAITING; i++) {
            CURRENT.set("span" + i);
            events.ended(pin(MIN_NANOS, true));
        }
        for (int i = 0; i < 100; i++) {
            assertThat(events.apply("other")).isEmpty();
        }
        events.addOverdue();

        assertThat(identified).hasValue(SpanEvents.MAX_WAITING);
        assertThat(events.apply("span7")).hasSize(1);
        assertThat(events.apply("span7")).isEmpty();
    }

    @Test
    void pinsOfSpansThatAreNotRecordedMakeRoom() {
        for (String context : List.of("unrecorded", "foreign")) {
            CURRENT.set(context);
            for (int i = 0; i < SpanEvents.MAX_WAITING; i++) {
                events.ended(pin(MIN_NANOS, true));
            }
            assertThat(events.apply("other")).isEmpty();
        }
        CURRENT.set("context");
        events.ended(pin(MIN_NANOS, true));

        assertThat(events.apply("context")).hasSize(1);
        events.addAll();
        assertThat(added).isEmpty();
    }

    @Test
    void noEventIsMissedOrAddedTwiceWhileOtherThreadsFilePinsToo() throws InterruptedException {
        AtomicInteger wrong = new AtomicInteger();
        List<Thread> threads = new ArrayList<>();
        for (int number = 0; number < 4; number++) {
            String name = "thread" + number;
            Runnable work =
                    () -> {
                        for (int i = 0; i < 30_000; i++) {
                            CURRENT.set(name + "/" + i);
                            events.ended(pin(MIN_NANOS, true));
                            if (events.apply(name + "/" + i).size() != 1) {
                                wrong.incrementAndGet();
                            }
                            if (i % 1_000 == 0) {
                                events.addOverdue();
                            }
                        }
                    };
            threads.add(Thread.ofPlatform().start(work));
        }
        for (Thread thread : threads) {
            thread.join();
        }

        assertThat(wrong).hasValue(0);
        events.addAll();
        assertThat(added).isEmpty();
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
