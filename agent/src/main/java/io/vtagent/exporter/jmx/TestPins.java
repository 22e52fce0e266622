package io.vtagent.exporter.jmx;

import io.vtagent.pin.ActivePin;
import io.vtagent.pin.EndedPin;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinListener;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * The newest single pins with their stacks and the tests whose threads they held. Lock-free where
 * virtual threads add to it in a hook. A pin is kept with its own stack, as the JVM takes it, which
 * neither blocks nor loads a class; it becomes text on request.
 */
final class TestPins implements PinListener {
    /** Enough for a test, and with stacks of usual depth some 10 MiB. */
    static final int MAX_PINS = 10_000;

    /**
     * The maximum number of tests. The oldest are forgotten if a client begins tests and ends none.
     */
    static final int MAX_TESTS = 1_000;

    /** A test that lasts longer is dropped: the thread that began it has gone. */
    static final long MAX_TEST_NANOS = TimeUnit.DAYS.toNanos(1);

    /** The time for which single pins are kept after the last test, in case another one begins. */
    static final long KEPT_ON_NANOS = TimeUnit.MINUTES.toNanos(1);

    private static final String OWN = "io.vtagent.";
    private static final String PROBE = "java.lang.VtAgentProbe";

    /**
     * The test that the current thread belongs to. Threads inherit it from those that start them.
     */
    private static final InheritableThreadLocal<Long> TEST = new InheritableThreadLocal<>();

    private final Measured measured;
    private final RingBuffer<Kept> newestPins;
    private final Map<Long, Begun> tests = new LinkedHashMap<>();
    private long newest;
    private boolean keeping;
    private long lastEndedNanos;
    private long firstPins;

    /** The stack of a thread. */
    private static final class Stack extends Throwable {
        Stack() {
            super(null, null, false, true);
        }
    }

    private record Kept(
            @Nullable String thread, @Nullable Long test, @Nullable Stack stack, EndedPin pin) {}

    /**
     * @param pins how many there had been
     * @param newestThread no thread with a greater id was there
     * @param on the thread that it began on
     * @param before the test that this thread belonged to
     */
    private record Begun(
            long atNanos,
            long pins,
            long newestThread,
            WeakReference<Thread> on,
            @Nullable Long before) {}

    TestPins(Measured measured, int most) {
        this.measured = measured;
        newestPins = new RingBuffer<>(most);
    }

    /** A test begins, on the current thread. */
    synchronized long begin() {
        if (!keeping) {
            new TestPins(measured, 1).warmUp();
            // Pins are kept only since the first test, because an application may read thousands
            // of files at its start, and no test needs those pins. To walk whatever it costs also
            // keeps the sampler from being idle, when it would miss pins.
            measured.ledger().walkWhateverItCosts(true);
            measured.ledger().addListener(this);
            keeping = true;
        }
        if (tests.isEmpty()) {
            firstPins = newestPins.count();
        }
        newest++;
        long newestThread = Thread.ofVirtual().unstarted(() -> {}).threadId();
        WeakReference<Thread> current = new WeakReference<>(Thread.currentThread());
        tests.put(
                newest,
                new Begun(
                        System.nanoTime(), newestPins.count(), newestThread, current, TEST.get()));
        if (tests.size() > MAX_TESTS) {
            tests.remove(tests.keySet().iterator().next());
        }
        TEST.set(newest);
        return newest;
    }

    /** Warms up the code that a hook runs. */
    private void warmUp() {
        TEST.set(0L);
        Object unused = owner();
        Thread thread = Thread.currentThread();
        ended(new EndedPin(PinKind.PARK, PinReason.NONE, false, null, 0, 0, thread, 0, true));
        TEST.remove();
    }

    /**
     * The test has ended. From now on the current thread belongs to none, or to the one that began
     * on it before and goes on.
     */
    synchronized void end(long test) {
        Begun ended = tests.remove(test);
        Long before = ended == null ? null : ended.before;
        Begun around = before == null ? null : tests.get(before);
        if (around != null && around.on.refersTo(Thread.currentThread())) {
            TEST.set(before);
        } else {
            TEST.remove();
        }
        lastEndedNanos = System.nanoTime();
        forgetPinsOfNoTest();
    }

    private void forgetPinsOfNoTest() {
        if (tests.isEmpty()) {
            newestPins.forget(firstPins);
        }
    }

    /**
     * Called now and then: leaves what {@link #begin} has turned on when there have been no tests
     * for a while.
     */
    synchronized void tidy(long nowNanos) {
        if (tests.values().removeIf(test -> nowNanos - test.atNanos > MAX_TEST_NANOS)) {
            forgetPinsOfNoTest();
        }
        if (keeping && tests.isEmpty() && nowNanos - lastEndedNanos > KEPT_ON_NANOS) {
            close();
        }
    }

    /** Stops the notifications. */
    synchronized void close() {
        measured.ledger().removeListener(this);
        measured.ledger().walkWhateverItCosts(false);
        keeping = false;
    }

    @Override
    public boolean knowsOwners() {
        return true;
    }

    /** The test of the current thread. */
    @Override
    public @Nullable Object owner() {
        return TEST.get();
    }

    @Override
    public void ended(EndedPin pin) {
        Thread thread = pin.thread();
        Long test = pin.onItsThread() ? TEST.get() : null;
        Stack stack = pin.onItsThread() ? new Stack() : null;
        newestPins.add(
                new Kept(
                        thread == null ? null : thread.getName(),
                        test,
                        stack,
                        pin.withoutThread()));
    }

    /**
     * @throws IllegalArgumentException if no such test is in progress
     */
    private synchronized Begun begun(long test) {
        Begun begun = tests.get(test);
        if (begun == null) {
            throw new IllegalArgumentException(
                    "test is " + test + ", expected a result of begin() before its end()");
        }
        return begun;
    }

    /**
     * The pins that have ended since {@code test} began, the oldest first, and those in progress.
     * The report, which knows the sites, is made if there are any.
     */
    PinsOfTest since(long test) {
        Begun begun = begun(test);
        Frames frames = new Frames();
        // Pins in progress are read first. So a pin that ends meanwhile is in both lists and not in
        // neither, and is not reported as in progress at the place where its thread went next.
        Map<ActivePin, List<String>> active = new LinkedHashMap<>();
        measured.active().get().forEach(pin -> active.put(pin, stack(pin, frames)));
        long end = newestPins.count();
        List<Kept> ended = newestPins.between(begun.pins, end);
        if (ended.isEmpty() && active.isEmpty()) {
            return new PinsOfTest(0, List.of());
        }
        Map<PinSite, Held> sites = new HashMap<>();
        measured.report().get().sites().forEach(site -> sites.put(site.site(), site));
        Map<Long, Long> owners = new HashMap<>();
        List<PinFigures> pins = new ArrayList<>();
        for (Kept kept : ended) {
            long threadId = kept.pin.threadId();
            if (kept.test != null && threadId != 0) {
                owners.put(threadId, kept.test);
            }
            long owner = kept.test == null ? owners.getOrDefault(threadId, 0L) : kept.test;
            pins.add(figures(kept, owner, begun, sites.get(kept.pin.siteKey()), frames));
        }
        long now = System.nanoTime();
        active.forEach(
                (pin, stack) -> {
                    if (!hasEnded(pin, now, ended)) {
                        long owner =
                                pin.owner() instanceof Long known
                                        ? known
                                        : owners.getOrDefault(pin.thread().threadId(), 0L);
                        pins.add(figures(pin, owner, now, begun, sites.get(pin.siteKey()), stack));
                    }
                });
        return new PinsOfTest(Math.max(end - begun.pins - ended.size(), 0), pins);
    }

    /**
     * Returns whether {@code pin}, which was in progress a moment ago, is one of {@code ended} by
     * now.
     */
    private static boolean hasEnded(ActivePin pin, long now, List<Kept> ended) {
        return ended.stream()
                .anyMatch(
                        kept ->
                                kept.pin.threadId() == pin.thread().threadId()
                                        && kept.pin.kind() == pin.kind()
                                        && now - kept.pin.endedAtNanos() < pin.ageNanos());
    }

    private static PinFigures figures(
            Kept kept, long owner, Begun begun, @Nullable Held site, Frames frames) {
        EndedPin pin = kept.pin;
        long began = began(pin.endedAtNanos() - pin.nanos(), pin.threadId(), begun);
        PinFigures.Who who =
                new PinFigures.Who(kept.thread == null ? "" : kept.thread, pin.threadId(), owner);
        return PinFigures.of(
                who,
                pin.kind(),
                pin.reason(),
                pin.compensated(),
                pin.siteKey(),
                new PinFigures.When(began, pin.nanos(), false),
                site,
                kept.stack == null ? List.of() : frames.of(List.of(kept.stack.getStackTrace())));
    }

    private static PinFigures figures(
            ActivePin pin,
            long owner,
            long nowNanos,
            Begun begun,
            @Nullable Held site,
            List<String> stack) {
        Thread thread = pin.thread();
        long began = began(nowNanos - pin.ageNanos(), thread.threadId(), begun);
        return PinFigures.of(
                new PinFigures.Who(thread.getName(), thread.threadId(), owner),
                pin.kind(),
                pin.reason(),
                pin.compensated(),
                pin.siteKey(),
                new PinFigures.When(began, pin.ageNanos(), true),
                site,
                stack);
    }

    /** Returns the stack of its thread or, if that has ended meanwhile, the stack that it had. */
    private static List<String> stack(ActivePin pin, Frames frames) {
        List<String> now = frames.of(Snapshot.of(pin.thread()).frames());
        PinnedStack seen = pin.site() == null ? null : pin.site().stack();
        return now.isEmpty() && seen != null ? seen.frames() : now;
    }

    /**
     * Returns that time, from the beginning of the test. It is an estimate for a sampled pin, and
     * no thread pins before it exists.
     */
    private static long began(long atNanos, long threadId, Begun begun) {
        long began = atNanos - begun.atNanos;
        return threadId > begun.newestThread ? Math.max(began, 0) : began;
    }

    /**
     * Stacks as text, without the agent's frames, which are the innermost. Thousands of deep ones
     * have the same frames, each of which is kept once.
     */
    private static final class Frames {
        private final Map<StackTraceElement, String> texts = new HashMap<>();

        List<String> of(List<StackTraceElement> stack) {
            return stack.stream()
                    .dropWhile(frame -> isOwn(frame.getClassName()))
                    .map(frame -> texts.computeIfAbsent(frame, StackTraceElement::toString))
                    .toList();
        }
    }

    private static boolean isOwn(String className) {
        return className.startsWith(OWN) || className.equals(PROBE);
    }
}
