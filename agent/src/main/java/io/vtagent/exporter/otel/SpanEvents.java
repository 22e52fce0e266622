package io.vtagent.exporter.otel;

import io.vtagent.record.EndedPin;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinListener;
import io.vtagent.record.PinReason;
import io.vtagent.record.PinSite;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;
import java.util.function.LongPredicate;
import java.util.function.Predicate;

/**
 * The pins that are to become events of spans. A hook only keeps the pin with the context of its
 * thread: no code of OpenTelemetry may run there. The event is added on the thread that ends the
 * span, right before, or after {@value #MAX_WAITING_NANOS} ns by a thread of the agent. Thread-safe
 * without locks.
 */
public final class SpanEvents
        implements PinListener, Function<Predicate<Object>, List<Map<String, Object>>> {
    /** The most pins that are kept; further ones are no events. */
    static final int MAX_WAITING = 1_000;

    /** How long a pin waits for the end of its span. */
    static final long MAX_WAITING_NANOS = 1_000_000_000;

    private final OtelSdk sdk;
    private final ThreadLocal<?> context;
    private final long minNanos;
    private final Queue<Waiting> pins = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param taken whether a thread has taken the pin, and adds its event
     */
    private record Waiting(EndedPin pin, Object context, AtomicBoolean taken) {}

    /**
     * @param context that of {@code sdk}
     * @param minNanos the shortest pin that becomes an event
     */
    public SpanEvents(OtelSdk sdk, ThreadLocal<?> context, long minNanos) {
        this.sdk = sdk;
        this.context = context;
        this.minNanos = minNanos;
    }

    /** Runs the code that a hook runs, and that of an event. */
    public void warmUp() {
        Thread thread = Thread.currentThread();
        Object unused = context.get();
        keep(
                new EndedPin(
                        PinKind.PARK, PinReason.NONE, false, null, minNanos, 0, thread, 0, true),
                thread);
        List<Map<String, Object>> unusedToo = apply(kept -> kept == thread);
    }

    @Override
    public void ended(EndedPin pin) {
        // any other thread may find the context of what the pinned thread has done since
        if (pin.nanos() >= minNanos && pin.onItsThread()) {
            Object its = context.get();
            if (its != null) {
                keep(pin, its);
            }
        }
    }

    private void keep(EndedPin pin, Object its) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return;
        }
        pins.add(new Waiting(pin.withoutThread(), its, new AtomicBoolean()));
    }

    /** Returns the events of the contexts that {@code wanted} accepts, and forgets them. */
    @Override
    public List<Map<String, Object>> apply(Predicate<Object> wanted) {
        if (pins.isEmpty()) { // the usual case
            return List.of();
        }
        List<Map<String, Object>> events = new ArrayList<>();
        for (Waiting each : take(pin -> wanted.test(pin.context))) {
            events.add(event(each.pin));
        }
        return events;
    }

    /** Adds the events of pins whose spans have not ended for long. */
    public void addOverdue() {
        long nowNanos = System.nanoTime();
        add(endedAtNanos -> nowNanos - endedAtNanos > MAX_WAITING_NANOS);
    }

    /** Adds all events. */
    public void addAll() {
        add(endedAtNanos -> true);
    }

    private void add(LongPredicate wanted) {
        for (Waiting each : take(pin -> wanted.test(pin.pin.endedAtNanos()))) {
            sdk.addEvent().accept(each.context, event(each.pin));
        }
    }

    private List<Waiting> take(Predicate<Waiting> wanted) {
        List<Waiting> taken = new ArrayList<>();
        for (Iterator<Waiting> all = pins.iterator(); all.hasNext(); ) {
            Waiting each = all.next();
            if (wanted.test(each) && each.taken.compareAndSet(false, true)) {
                all.remove();
                waiting.decrementAndGet();
                taken.add(each);
            }
        }
        return taken;
    }

    private static Map<String, Object> event(EndedPin pin) {
        PinSite site = pin.siteKey();
        Map<String, Object> event = new HashMap<>();
        event.put("kind", pin.kind().label());
        event.put("reason", pin.reason().label());
        event.put("site", site.site());
        event.put("caller", site.caller());
        event.put("operation", site.operation());
        event.put("duration", pin.nanos() / 1e9);
        event.put(OtelSdk.ENDED_AT_NANOS, pin.endedAtNanos());
        return event;
    }
}
