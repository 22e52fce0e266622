package io.vtagent.exporter.otel;

import io.vtagent.jvm.LocalsOfThread;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinInContext;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.SampledPinListener;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Queue;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.LongPredicate;
import org.jspecify.annotations.Nullable;

/**
 * The pins that are to become events of spans. A hook only keeps the pin with the context of its
 * thread: no code of OpenTelemetry may run there. The event is added on the thread that ends the
 * span, right before, or after {@value #MAX_WAITING_NANOS} ns by a thread of the agent.
 *
 * <p>A sampled pin is kept while it is in progress, because its span may end before the next sample
 * finds that the pin has ended. Its event then has the duration that the newest sample shows.
 *
 * <p>Thread-safe, and a hook waits for no lock. Threads that end spans file new pins by span: a
 * span's end costs the same, however many pins wait for others. A new pin is filed first and
 * removed from the new ones then, while a span's end reads the new ones first, so that it misses
 * none that another thread is filing. Two threads may file the same pin; one of them takes it.
 */
public final class SpanEvents
        implements PinListener, SampledPinListener, Function<Object, List<Map<String, Object>>> {
    /** The most pins that are kept; further ones are no events. */
    static final int MAX_WAITING = 1_000;

    /** How long a pin waits for the end of its span. */
    static final long MAX_WAITING_NANOS = 1_000_000_000;

    private final OtelSdk.Spans spans;
    private final long minNanos;
    private final Queue<PinInContext> newest = new ConcurrentLinkedQueue<>();

    /** The other pins by the identity of their span. Only methods of the map change a list. */
    private final Map<Object, List<PinInContext>> filed = new ConcurrentHashMap<>();

    private final AtomicInteger waiting = new AtomicInteger();

    /**
     * @param minNanos the shortest pin that becomes an event
     */
    public SpanEvents(OtelSdk.Spans spans, long minNanos) {
        this.spans = spans;
        this.minNanos = minNanos;
    }

    /** Runs the code that a hook runs, and that of an event. */
    public void warmUp() {
        Thread thread = Thread.currentThread();
        Object unused = spans.context().get();
        EndedPin pin =
                new EndedPin(
                        PinKind.PARK, PinReason.NONE, false, null, minNanos, 0, thread, 0, true);
        keep(new PinInContext(thread, pin.withoutThread()));
        Map<String, Object> unusedToo = event(pin);
        List<Map<String, Object>> unusedAsWell = apply(thread);
    }

    @Override
    public void ended(EndedPin pin) {
        // the other pins are sampled, and seen before they have ended
        if (pin.nanos() >= minNanos && pin.onItsThread()) {
            Object its = spans.context().get();
            if (its != null) {
                keep(new PinInContext(its, pin.withoutThread()));
            }
        }
    }

    @Override
    public long minNanos() {
        return minNanos;
    }

    @Override
    public @Nullable Object contextOf(Thread thread) {
        return LocalsOfThread.valueOf(spans.context(), thread);
    }

    @Override
    public void seen(PinInContext pin) {
        keep(pin);
    }

    private void keep(PinInContext pin) {
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            return;
        }
        newest.add(pin);
    }

    /** Returns the events of the span with an identity, and forgets them. */
    @Override
    public List<Map<String, Object>> apply(Object span) {
        if (waiting.get() == 0) { // the usual case
            return List.of();
        }
        file();
        // no lock for most
        List<PinInContext> its = filed.containsKey(span) ? filed.remove(span) : null;
        if (its == null) {
            return List.of();
        }
        List<Map<String, Object>> events = new ArrayList<>();
        for (PinInContext each : its) {
            if (take(each)) {
                addEvent(each, events::add);
            }
        }
        return events;
    }

    private void file() {
        for (Iterator<PinInContext> all = newest.iterator(); all.hasNext(); ) {
            PinInContext each = all.next();
            Object span = spanOf(each);
            if (span == null) {
                take(each);
            } else {
                filed.compute(span, (same, before) -> with(each, before));
            }
            all.remove();
        }
    }

    private @Nullable Object spanOf(PinInContext pin) {
        try {
            return spans.identity().apply(pin.context());
        } catch (RuntimeException | LinkageError failed) {
            return null; // the context may be the application's own kind
        }
    }

    private static List<PinInContext> with(PinInContext pin, @Nullable List<PinInContext> before) {
        List<PinInContext> all = before == null ? new ArrayList<>(1) : before;
        all.add(pin);
        return all;
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
        file();
        List<PinInContext> taken = new ArrayList<>();
        for (Object span : filed.keySet()) {
            filed.computeIfPresent(span, (same, pins) -> without(pins, wanted, taken));
        }
        for (PinInContext each : taken) {
            addEvent(each, event -> spans.addEvent().accept(each.context(), event));
        }
    }

    /** Returns the {@code pins} that still wait; null for none. */
    private @Nullable List<PinInContext> without(
            List<PinInContext> pins, LongPredicate wanted, List<PinInContext> taken) {
        pins.removeIf(
                each -> {
                    EndedPin its = each.pin();
                    if ((its == null || wanted.test(its.endedAtNanos())) && take(each)) {
                        taken.add(each);
                    }
                    return each.isTaken();
                });
        return pins.isEmpty() ? null : pins;
    }

    /** Returns whether this thread has taken the pin. */
    private boolean take(PinInContext pin) {
        boolean first = pin.take();
        if (first) {
            waiting.decrementAndGet();
        }
        return first;
    }

    /** Adds the event of a pin, unless the sampler has found out that it is none. */
    private void addEvent(PinInContext pin, Consumer<Map<String, Object>> to) {
        EndedPin its = pin.pin();
        if (its != null && its.nanos() >= minNanos) {
            to.accept(event(its));
        }
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
