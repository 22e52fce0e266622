package io.vtagent.exporter;

import io.vtagent.jvm.LoggingContext;
import io.vtagent.ledger.Ledger;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.Site;
import io.vtagent.report.HumanFormat;
import io.vtagent.report.PinLine;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Logs one line for each pin that lasts at least as long as {@code log-pins}, once it has lasted
 * that long and again when it has ended. At most {@value #MAX_LINES} lines a second; one more
 * counts the rest.
 */
final class PinLog implements Exporter, PinListener {
    static final int MAX_LINES = 10;

    /** The most pins that are kept until the next second; further ones are only counted. */
    private static final int MAX_WAITING = 1_000;

    /** The largest error of the beginning of a pin in progress, which is now minus its age. */
    private static final long TOLERANCE_NANOS = 50_000_000;

    /**
     * @param thread the name of the virtual thread, or null if it is not known
     * @param context its diagnostic context, or an empty text
     */
    private record Waiting(EndedPin pin, @Nullable String thread, String context) {}

    private final Ledger ledger;
    private final Supplier<List<ActivePin>> active;
    private final Consumer<String> log;
    private final long minNanos;
    private final LoggingContext context;
    private final List<String> app;
    private final Queue<Waiting> ended = new ConcurrentLinkedQueue<>();
    private final AtomicInteger waiting = new AtomicInteger();
    private final AtomicInteger dropped = new AtomicInteger();

    /** When the pins in progress began that have a line already, by thread. */
    private final IdentityHashMap<Thread, Long> logged = new IdentityHashMap<>();

    /**
     * @param active returns the pins in progress
     * @param minNanos the shortest pin that is logged
     * @param context keys of the diagnostic context that a line has
     * @param app prefixes of the user's own packages
     * @param log takes the lines
     */
    PinLog(
            Ledger ledger,
            Supplier<List<ActivePin>> active,
            long minNanos,
            List<String> context,
            List<String> app,
            Consumer<String> log) {
        this.ledger = ledger;
        this.active = active;
        this.log = log;
        this.minNanos = minNanos;
        this.context = new LoggingContext(context);
        this.app = app;
    }

    @Override
    public void begin() {
        warmUp();
        ledger.addListener(this);
    }

    /** Runs the code that a hook runs, and that of a line. */
    private void warmUp() {
        Thread thread = Thread.currentThread();
        EndedPin synthetic =
                new EndedPin(
                        PinKind.PARK, PinReason.NONE, false, null, minNanos, 0, thread, 0, true);
        context.warmUp();
        ended(synthetic);
        for (Waiting next = poll(); next != null; next = poll()) {
            String unused = line(next);
        }
    }

    @Override
    public void ended(EndedPin pin) {
        if (pin.nanos() < minNanos) {
            return;
        }
        Thread thread = pin.thread();
        // any other thread may find the context of what the pinned thread has done since
        String its = thread != null && pin.onItsThread() ? context.of(thread) : "";
        if (waiting.incrementAndGet() > MAX_WAITING) {
            waiting.decrementAndGet();
            dropped.incrementAndGet();
            return;
        }
        ended.add(new Waiting(pin.withoutThread(), thread == null ? null : thread.getName(), its));
    }

    @Override
    public void publish(PinReport report) {
        log();
    }

    @Override
    public void onIdle() {
        log();
    }

    @Override
    public void end() {
        ledger.removeListener(this);
        log();
    }

    private void log() {
        List<String> lines = new ArrayList<>();
        for (Waiting next = poll(); next != null; next = poll()) {
            if (isCertain(next.pin)) {
                lines.add(line(next));
            }
        }
        addInProgress(lines);
        int more = lines.size() - MAX_LINES + dropped.getAndSet(0);
        lines.stream().limit(MAX_LINES).forEach(log);
        if (more > 0) {
            log.accept(
                    "not logged: "
                            + HumanFormat.pins(more)
                            + " of at least "
                            + HumanFormat.duration(minNanos));
        }
    }

    /** Returns whether the pin is more than a place that the sampler saw once or twice. */
    private static boolean isCertain(EndedPin pin) {
        Site site = pin.site();
        return pin.onItsThread() || (site != null && !site.isRare());
    }

    private @Nullable Waiting poll() {
        Waiting next = ended.poll();
        if (next != null) {
            waiting.decrementAndGet();
        }
        return next;
    }

    private String line(Waiting next) {
        EndedPin pin = next.pin;
        PinKey key = new PinKey(pin.kind(), pin.reason(), pin.compensated());
        return PinLine.of(
                key,
                pin.nanos(),
                false,
                pin.site(),
                next.thread,
                pin.threadId(),
                next.context,
                app);
    }

    private void addInProgress(List<String> lines) {
        long nowNanos = System.nanoTime();
        List<ActivePin> pins =
                active.get().stream()
                        .filter(pin -> pin.ageNanos() >= minNanos)
                        .sorted(Comparator.comparingLong(ActivePin::ageNanos).reversed())
                        .toList();
        IdentityHashMap<Thread, Long> now = new IdentityHashMap<>();
        for (ActivePin pin : pins) {
            long beganNanos = nowNanos - pin.ageNanos();
            Long before = logged.get(pin.thread());
            if (before == null || Math.abs(beganNanos - before) > TOLERANCE_NANOS) {
                lines.add(
                        PinLine.of(
                                pin.key(),
                                pin.ageNanos(),
                                true,
                                pin.site(),
                                pin.thread().getName(),
                                pin.thread().threadId(),
                                contextDuring(pin.thread(), beganNanos),
                                app));
                before = beganNanos;
            }
            now.put(pin.thread(), before);
        }
        logged.clear();
        logged.putAll(now);
    }

    /**
     * Returns the context of {@code thread} during the pin that began then; empty if the pin may
     * have ended before it was read.
     */
    private String contextDuring(Thread thread, long beganNanos) {
        String found = context.of(thread);
        return found.isEmpty() || isInProgress(thread, beganNanos) ? found : "";
    }

    private boolean isInProgress(Thread thread, long beganNanos) {
        List<ActivePin> now = active.get();
        long nowNanos = System.nanoTime();
        return now.stream()
                .anyMatch(
                        pin ->
                                pin.thread() == thread
                                        && Math.abs(nowNanos - pin.ageNanos() - beganNanos)
                                                <= TOLERANCE_NANOS);
    }
}
