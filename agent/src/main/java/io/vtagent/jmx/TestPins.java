package io.vtagent.jmx;

import io.vtagent.record.ActivePin;
import io.vtagent.record.EndedPin;
import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.PinListener;
import io.vtagent.record.PinReason;
import io.vtagent.record.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReferenceArray;
import org.jspecify.annotations.Nullable;

/**
 * Single pins with their stacks, and whose threads they held, for tests: the newest. Lock-free where virtual threads add to it in a hook.
 * A pin is kept with the stack of its own, as the JVM takes it, which neither blocks nor loads a class; it becomes text when somebody asks.
 */
final class TestPins implements PinListener {
    /** Enough for a test, and with stacks of usual depth some 10 MiB. */
    static final int MOST = 10_000;

    private static final String OWN = "io.vtagent.";
    private static final String PROBE = "java.lang.VtAgentProbe";

    /** Which test the current thread belongs to: threads inherit it from those that start them. */
    private static final InheritableThreadLocal<Long> TEST = new InheritableThreadLocal<>();

    private final Ledger ledger;
    private final AtomicReferenceArray<@Nullable Kept> ring;
    private final AtomicLong count = new AtomicLong();
    private final Map<Long, Begun> tests = new HashMap<>();
    private long newest;
    private boolean keeping;

    /** Where a thread was. */
    private static final class Stack extends Throwable {
        Stack() {
            super(null, null, false, true);
        }
    }

    private record Kept(
            long number,
            @Nullable String thread,
            @Nullable Long test,
            @Nullable Stack stack,
            EndedPin pin) {}

    private record Begun(long atNanos, long pins) {}

    TestPins(Ledger ledger, int most) {
        this.ledger = ledger;
        ring = new AtomicReferenceArray<>(most);
    }

    /** A test begins, on the current thread. */
    synchronized long begin() {
        if (!keeping) {
            new TestPins(ledger, 1).rehearse();
            ledger.tell(this);
            keeping = true;
        }
        newest++;
        tests.put(newest, new Begun(System.nanoTime(), count.get()));
        TEST.set(newest);
        return newest;
    }

    /** Loads what a hook needs. */
    private void rehearse() {
        TEST.set(0L);
        Thread thread = Thread.currentThread();
        ended(new EndedPin(PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true));
        TEST.remove();
    }

    /** The test has ended. From now on the current thread belongs to none. */
    synchronized void end(long test) {
        tests.remove(test);
        TEST.remove();
    }

    /** Nobody is told any more. */
    synchronized void close() {
        ledger.tellNoMore(this);
        keeping = false;
    }

    @Override
    public void ended(EndedPin pin) {
        Thread thread = pin.thread();
        Long test = pin.onItsThread() ? TEST.get() : null;
        Stack stack = pin.onItsThread() ? new Stack() : null;
        EndedPin alone = new EndedPin(
                pin.kind(),
                pin.reason(),
                pin.compensated(),
                pin.site(),
                pin.nanos(),
                pin.endedAtNanos(),
                null,
                pin.threadId(),
                pin.onItsThread());
        long number = count.getAndIncrement();
        String name = thread == null ? null : thread.getName();
        ring.set((int) (number % ring.length()), new Kept(number, name, test, stack, alone));
    }

    /** @throws IllegalArgumentException if no such test is in progress */
    private synchronized Begun begun(long test) {
        Begun begun = tests.get(test);
        if (begun == null) {
            throw new IllegalArgumentException("test is " + test + ", expected what begin() gave, and no end() of it");
        }
        return begun;
    }

    /**
     * The pins that have ended since {@code test} began, the oldest first, and those in progress.
     *
     * @param report what is in progress, and the sites
     */
    PinsOfTest since(long test, PinReport report) {
        Begun begun = begun(test);
        Map<PinSite, Held> sites = new HashMap<>();
        report.sites().forEach(site -> sites.put(site.site(), site));
        Map<Long, Long> owners = new HashMap<>();
        List<PinFigures> pins = new ArrayList<>();
        long end = count.get();
        for (long number = Math.max(begun.pins, end - ring.length()); number < end; number++) {
            Kept kept = ring.get((int) (number % ring.length()));
            if (kept != null && kept.number == number) {
                if (kept.test != null) {
                    owners.put(kept.pin.threadId(), kept.test);
                }
                pins.add(figures(kept, begun, sites.get(kept.pin.siteKey())));
            }
        }
        long forgotten = end - begun.pins - pins.size();
        pins.addAll(inProgress(begun, report, sites, owners));
        return new PinsOfTest(Math.max(forgotten, 0), pins);
    }

    private static PinFigures figures(Kept kept, Begun begun, @Nullable Held site) {
        EndedPin pin = kept.pin;
        long began = pin.endedAtNanos() - pin.nanos() - begun.atNanos;
        PinFigures.Who who = new PinFigures.Who(
                kept.thread == null ? "" : kept.thread, pin.threadId(), kept.test == null ? 0 : kept.test);
        return PinFigures.of(
                who,
                pin.kind(),
                pin.reason(),
                pin.compensated(),
                pin.siteKey(),
                new PinFigures.When(began, pin.nanos(), false),
                site,
                kept.stack == null ? List.of() : frames(kept.stack.getStackTrace()));
    }

    private List<PinFigures> inProgress(
            Begun begun, PinReport report, Map<PinSite, Held> sites, Map<Long, Long> owners) {
        if (report.pins().isEmpty()) {
            return List.of();
        }
        Map<Long, Thread> threads = new HashMap<>();
        for (ActivePin pin : ledger.active()) {
            threads.put(pin.thread().threadId(), pin.thread());
        }
        long now = System.nanoTime() - begun.atNanos;
        List<PinFigures> pins = new ArrayList<>();
        for (PinReport.Pin pin : report.pins()) {
            int hash = pin.thread().lastIndexOf('#');
            long id = Long.parseLong(pin.thread().substring(hash + 1));
            Thread thread = threads.get(id);
            pins.add(PinFigures.of(
                    new PinFigures.Who(pin.thread().substring(0, hash), id, owners.getOrDefault(id, 0L)),
                    pin.key().kind(),
                    pin.key().reason(),
                    pin.key().compensated(),
                    pin.site(),
                    new PinFigures.When(now - pin.ageNanos(), pin.ageNanos(), true),
                    sites.get(pin.site()),
                    thread == null ? List.of() : frames(thread.getStackTrace())));
        }
        return pins;
    }

    /** Without the agent's, which are the innermost. */
    private static List<StackTraceElement> frames(StackTraceElement[] stack) {
        int first = 0;
        while (first < stack.length && isOwn(stack[first].getClassName())) {
            first++;
        }
        return List.of(stack).subList(first, stack.length);
    }

    private static boolean isOwn(String className) {
        return className.startsWith(OWN) || className.equals(PROBE);
    }
}
