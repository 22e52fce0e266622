package io.vtagent.diagnosis;

import io.vtagent.hotspot.HotSpot;
import io.vtagent.pin.ActivePin;
import io.vtagent.pin.Site;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.JdkCode;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.Snapshot;
import io.vtagent.site.SnapshotStack;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.function.LongFunction;
import org.jspecify.annotations.Nullable;

/**
 * Makes a {@link Diagnosis}: reads every carrier once, and what the threads wait for before and
 * after that.
 */
final class DiagnosisBuilder {
    private static final int MAX_NAMED = 20;

    /** At most this many queued threads are read. */
    private static final int MAX_QUEUED = 2_000;

    private static final int MAX_READINGS = 10;

    private final CarrierPool pool;
    private final int stackDepth;

    /** Compares by identity: the {@code hashCode} of a thread may be the application's code. */
    private final IdentityHashMap<Thread, ActivePin> pins = new IdentityHashMap<>();

    DiagnosisBuilder(CarrierPool pool, List<ActivePin> active, int stackDepth) {
        this.pool = pool;
        this.stackDepth = stackDepth;
        active.forEach(pin -> pins.put(pin.carrier(), pin));
    }

    /**
     * The threads that are ready to run.
     *
     * @param count how many there are
     * @param threads all of them, or some if there are very many
     */
    private record Queue(long count, List<Thread> threads) {
        /** Returns this queue without the threads that have got a carrier since it was read. */
        Queue without(List<HeldCarrier> held) {
            Set<Thread> left = new LinkedHashSet<>(threads);
            held.forEach(each -> left.remove(each.thread()));
            return new Queue(count - (threads.size() - left.size()), List.copyOf(left));
        }
    }

    /**
     * @param moved how many carriers have taken up another thread in the second half of {@code
     *     starvation-after}
     * @param relieved whether relief adds carriers
     */
    Diagnosis make(long starvedNanos, int moved, boolean relieved) {
        Queue queueBefore = queue();
        ThreadReader reader = new ThreadReader(pool, pins);
        WaitGraph before = reader.read(queueBefore.threads);
        List<HeldCarrier> held = held();
        Map<Long, List<StackTraceElement>> stacks = stacks(held, before, reader);
        WaitGraph graph =
                before.confirmedBy(new ThreadReader(pool, pins).read(queueBefore.threads))
                        .fitting(held);
        Queue queue = queueBefore.without(held);
        LongFunction<@Nullable String> places =
                thread -> HeldCarrier.lineOf(stacks.getOrDefault(thread, List.of()));
        Verdict verdict = new Verdict(held, graph, queue.threads, queue.count, moved, places);
        return new Diagnosis(
                moved > 0
                        ? verdict.text()
                        : verdict.text()
                                + unknown(verdict)
                                + SpareCarriers.ended(pool, pins.values()),
                moved > 0,
                moved > 0 || relieved ? null : remedy(verdict),
                links(verdict.deadlock(), places),
                starvedNanos,
                held.size(),
                queue.count,
                queue.threads.stream()
                        .limit(MAX_NAMED)
                        .map(thread -> ThreadLabel.of(thread).label())
                        .toList(),
                held.stream().map(each -> describe(each, graph)).toList(),
                locks(verdict, reader));
    }

    private static String unknown(Verdict verdict) {
        return HotSpot.ofThisJvm().isProved() || !verdict.deadlock().isEmpty()
                ? ""
                : " Which thread has a monitor or initializes a class is not known.";
    }

    /**
     * Returns the held carriers. A carrier whose mounted thread changed while its stack was read is
     * left out.
     */
    private List<HeldCarrier> held() {
        List<HeldCarrier> held = new ArrayList<>();
        for (Thread carrier : pool.carriers()) {
            Thread thread = pool.mountedOn(carrier);
            Thread.State state = carrier.getState();
            List<StackTraceElement> frames =
                    Snapshot.of(thread == null ? carrier : thread).frames();
            boolean inTask =
                    thread == null
                            && (pool.isBlockedInTask(carrier)
                                    || !frames.stream().allMatch(JdkCode::owns));
            if ((thread != null || inTask) && pool.mountedOn(carrier) == thread) {
                ActivePin pin = carrier.getState() == state ? pinOf(carrier, thread, state) : null;
                held.add(new HeldCarrier(carrier, thread, state, pin, frames));
            }
        }
        return held;
    }

    /**
     * Returns the pin of {@code thread}; null if there was none when the pins were read, or if the
     * carrier is not in the state of such a pin any more.
     */
    private @Nullable ActivePin pinOf(Thread carrier, @Nullable Thread thread, Thread.State state) {
        ActivePin pin = pins.get(carrier);
        if (pin == null || pin.thread() != thread) {
            return null;
        }
        boolean waits = state == Thread.State.WAITING || state == Thread.State.TIMED_WAITING;
        boolean fits =
                switch (pin.kind()) {
                    case ENTER -> state == Thread.State.BLOCKED;
                    case PARK -> waits;
                    case WAIT -> waits || state == Thread.State.BLOCKED; // it enters again
                    default -> true;
                };
        return fits ? pin : null;
    }

    /**
     * Returns the stacks of the held carriers and of the other threads for which these wait, by the
     * thread's id.
     */
    private static Map<Long, List<StackTraceElement>> stacks(
            List<HeldCarrier> held, WaitGraph graph, ThreadReader reader) {
        Map<Long, List<StackTraceElement>> stacks = new HashMap<>();
        held.forEach(each -> stacks.put(each.id(), each.frames()));
        for (HeldCarrier each : held) {
            for (WaitGraph.Node node : graph.chainFrom(each.id())) {
                long id = node.who().id();
                Thread thread = reader.thread(id);
                if (thread != null && !stacks.containsKey(id)) {
                    stacks.put(id, Snapshot.of(thread).frames());
                }
            }
        }
        return stacks;
    }

    /**
     * Returns the queue. Reads it until the count and the threads agree, or until there are too
     * many threads to be read at once.
     */
    private Queue queue() {
        Queue queue = new Queue(0, List.of());
        for (int i = 0; i < MAX_READINGS; i++) {
            long before = pool.queued();
            Set<Thread> threads = new LinkedHashSet<>(pool.queuedThreads(MAX_QUEUED));
            queue = new Queue(before, List.copyOf(threads));
            if (before == threads.size() || threads.size() == MAX_QUEUED) {
                return queue;
            }
        }
        // the queue also has tasks that are not virtual threads, or it changes too fast
        return queue.threads.isEmpty() ? queue : new Queue(queue.threads.size(), queue.threads);
    }

    /**
     * Returns a sentence on what {@code relief=stuck} would do; null if it would not help. Work is
     * queued, so all that it needs is a carrier.
     */
    private @Nullable String remedy(Verdict verdict) {
        if (verdict.isDeadlockAlone()) {
            return null;
        }
        return "relief=stuck would add carriers"
                + (verdict.deadlock().isEmpty()
                        ? ", one at a time, until something moves"
                        : " for what is queued, and leave the deadlock as it is")
                + (pool.size() < pool.max()
                        ? ""
                        : ", if there were room: raise "
                                + CarrierPool.MAX_POOL_SIZE
                                + ", which is "
                                + pool.max());
    }

    private static List<Diagnosis.Link> links(
            List<WaitGraph.Node> cycle, LongFunction<@Nullable String> places) {
        List<Diagnosis.Link> links = new ArrayList<>();
        Wait before = cycle.isEmpty() ? null : cycle.getLast().waitsFor();
        for (WaitGraph.Node node : cycle) {
            Wait wait = node.waitsFor();
            if (before != null && wait != null) {
                String place = places.apply(node.who().id());
                links.add(
                        new Diagnosis.Link(
                                node.who().label(),
                                before.object(),
                                wait.object() + (place == null ? "" : ", at " + place)));
            }
            before = wait;
        }
        return links;
    }

    private static List<Diagnosis.Lock> locks(Verdict verdict, ThreadReader reader) {
        Map<String, Diagnosis.Lock> locks = new LinkedHashMap<>();
        for (long thread : verdict.threads()) {
            ParkedFor parked = reader.parkedFor(thread);
            if (parked != null && parked.kind() == ParkedFor.Kind.SYNCHRONIZER) {
                locks.putIfAbsent(parked.name(), describe(parked));
            }
        }
        return List.copyOf(locks.values());
    }

    private static Diagnosis.Lock describe(ParkedFor lock) {
        Thread owner = lock.owner();
        return new Diagnosis.Lock(
                lock.name(),
                owner == null ? null : ThreadLabel.of(owner).label(),
                lock.queue().stream()
                        .limit(MAX_NAMED)
                        .map(thread -> ThreadLabel.of(thread).label())
                        .toList());
    }

    private Diagnosis.CarrierState describe(HeldCarrier held, WaitGraph graph) {
        ActivePin pin = held.pin();
        Thread thread = held.thread();
        String state =
                pin == null || thread == null
                        ? held.state().toString().toLowerCase(Locale.ROOT)
                        : pin.kind().label() + " for " + pin.ageNanos() / 1_000_000 + " ms";
        WaitGraph.Node node = graph.of(held.id());
        Wait wait = node == null ? null : node.waitsFor();
        ThreadLabel owner = wait == null ? null : wait.owner();
        return new Diagnosis.CarrierState(
                held.carrier().getName(),
                thread == null ? "no virtual thread" : ThreadLabel.of(thread).label(),
                state,
                wait == null ? null : wait.object(),
                owner == null ? null : owner.label(),
                frames(held));
    }

    private List<String> frames(HeldCarrier held) {
        Site site = held.pin() == null ? null : held.pin().site();
        PinnedStack stack = site == null ? null : site.stack();
        List<String> lines = new ArrayList<>();
        for (StackTraceElement frame : held.frames()) {
            if (lines.size() == stackDepth) {
                break;
            }
            String mark = frame.isNativeMethod() && !lines.isEmpty() ? "  <== native frame" : "";
            if (stack != null && stack.holder().equals(SnapshotStack.location(frame))) {
                mark = stack.mark();
            }
            String monitors = stack == null ? "" : stack.markOfMonitors(frame.toString());
            if (!monitors.isEmpty()) {
                mark = monitors;
            }
            lines.add(frame + mark);
        }
        return lines;
    }
}
