package io.vtagent.diagnosis;

import io.vtagent.diagnosis.WaitGraph.Node;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.LongFunction;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Finds the reason why every carrier is held, and words it in a few sentences: threads that wait
 * for each other, a thread that they wait for and that has no carrier, or too much work. It states
 * that a thread waits for another one only if the JVM reports so.
 */
final class Verdict {
    /**
     * The prefix of the names of the JDK's virtual threads that wait for sockets on behalf of the
     * others (sun.nio.ch.Poller), since JDK 22.
     */
    private static final String POLLER = "SubPoller-";

    private static final String NONE_MOVED = "None of them took up another thread";
    private static final int MAX_CHAINS = 3;
    private static final int MAX_KEEPERS = 3;

    private final List<HeldCarrier> held;
    private final WaitGraph graph;
    private final List<Thread> waiting;
    private final long queued;
    private final int moved;
    private final LongFunction<@Nullable String> places;

    private final List<Node> deadlock;
    private final long inDeadlock;
    private final Set<Long> threads = new LinkedHashSet<>();
    private final String text;

    /**
     * @param graph what the threads wait for
     * @param waiting virtual threads that are ready to run
     * @param queued how many virtual threads are ready to run
     * @param places maps the id of a thread to where it is; null if that is not known
     */
    Verdict(
            List<HeldCarrier> held,
            WaitGraph graph,
            List<Thread> waiting,
            long queued,
            int moved,
            LongFunction<@Nullable String> places) {
        this.held = held;
        this.graph = graph;
        this.waiting = waiting;
        this.queued = queued;
        this.moved = moved;
        this.places = places;
        held.forEach(each -> threads.add(each.id()));
        // if carriers move, what was read of one thread after the other may never have held at one
        // moment
        deadlock = moved > 0 ? List.of() : findDeadlock();
        inDeadlock = behind(deadlock);
        text = deadlock.isEmpty() ? withoutDeadlock() : ofDeadlock();
    }

    String text() {
        return text;
    }

    /**
     * Returns the threads that wait for each other, each for the next one; empty if there is no
     * deadlock.
     */
    List<Node> deadlock() {
        return deadlock;
    }

    /**
     * Returns whether all carriers are held by threads of the deadlock and by threads that wait for
     * them.
     */
    boolean isDeadlockAlone() {
        return !deadlock.isEmpty() && inDeadlock == held.size();
    }

    /** Returns the ids of the threads that hold carriers and of those that the text names. */
    Set<Long> threads() {
        return threads;
    }

    /** Returns the cycle behind which most carriers are held; empty if there is none. */
    private List<Node> findDeadlock() {
        List<Node> most = List.of();
        for (HeldCarrier each : held) {
            List<Node> cycle = graph.cycleFrom(each.id());
            if (!cycle.isEmpty() && behind(cycle) > behind(most)) {
                most = cycle;
            }
        }
        return most;
    }

    private long behind(List<Node> cycle) {
        Set<Node> members = Set.copyOf(cycle);
        return held.stream()
                .filter(
                        each ->
                                !members.isEmpty()
                                        && members.equals(Set.copyOf(graph.cycleFrom(each.id()))))
                .count();
    }

    private String ofDeadlock() {
        return "Deadlock: "
                + links(deadlock)
                + inDeadlock
                + " of "
                + held.size()
                + " carriers are held by these threads and by threads that wait for them.";
    }

    private String links(List<Node> cycle) {
        StringBuilder words = new StringBuilder();
        for (Node node : cycle) {
            threads.add(node.who().id());
            Wait wait = node.waitsFor();
            ThreadLabel owner = node.needed();
            if (wait != null && owner != null) {
                words.append('`').append(node.who().shortLabel()).append("` waits for ");
                words.append(wait.quoted()).append(", which `").append(owner.shortLabel());
                words.append("` ").append(wait.ownerVerb()).append(". ");
            }
        }
        return words.toString();
    }

    private String withoutDeadlock() {
        if (moved > 0) {
            return onLoad() + onTasks();
        }
        String found = onReady();
        if (found == null) {
            found = onPoller();
        }
        if (found != null) {
            return found;
        }
        List<Node> timed = timedCycle();
        if (!timed.isEmpty()) {
            return onLoad() + " " + links(timed) + untilTimesOut(timed);
        }
        Group group = largest(false);
        return onLoad() + (group == null ? onTasks() : onOwner(group)) + onOthers();
    }

    private List<Node> timedCycle() {
        return held.stream()
                .map(each -> graph.timedCycleFrom(each.id()))
                .filter(cycle -> !cycle.isEmpty())
                .findFirst()
                .orElse(List.of());
    }

    private static String untilTimesOut(List<Node> cycle) {
        String waiting =
                cycle.stream()
                        .filter(WaitGraph::isTimed)
                        .map(node -> "`" + node.who().shortLabel() + "`")
                        .collect(Collectors.joining(" and "));
        return "No deadlock: "
                + waiting
                + (waiting.contains(" and ") ? " wait" : " waits")
                + " with a time limit.";
    }

    /** Carriers whose threads need the same thread to go on, and the shortest chain to it. */
    private record Group(List<HeldCarrier> held, List<Node> chain) {
        Node end() {
            return chain.getLast();
        }
    }

    /**
     * Returns the largest group of carriers that wait for the same thread, which is ready to run
     * or, if {@code ready} is false, is not; null if there is none.
     */
    private @Nullable Group largest(boolean ready) {
        Map<Long, List<HeldCarrier>> groups = new LinkedHashMap<>();
        Map<Long, List<Node>> chains = new HashMap<>();
        for (HeldCarrier each : held) {
            List<Node> chain = graph.chainFrom(each.id());
            if (chain.size() > 1 && chain.getLast().ready() == ready) {
                long end = chain.getLast().who().id();
                groups.computeIfAbsent(end, added -> new ArrayList<>()).add(each);
                chains.merge(end, chain, (one, other) -> one.size() <= other.size() ? one : other);
            }
        }
        return groups.entrySet().stream()
                .max(Comparator.comparingInt(group -> group.getValue().size()))
                .map(
                        group ->
                                new Group(
                                        group.getValue(),
                                        chains.getOrDefault(group.getKey(), List.of())))
                .orElse(null);
    }

    /**
     * Describes the thread that the others wait for and that has no carrier, because these hold all
     * of them; null if there is none.
     */
    private @Nullable String onReady() {
        Group group = largest(true);
        if (group == null) {
            return null;
        }
        List<Node> chain = group.chain;
        String released = withoutCarrier(chain.get(chain.size() - 2), group.end());
        if (chain.size() == 2) {
            return released + " " + waiters(group, "it", true) + ".";
        }
        return waiters(group, awaited(chain.getFirst()), true)
                + "."
                + between(chain)
                + " "
                + released;
    }

    private static String withoutCarrier(Node waiter, Node ready) {
        Wait wait = waiter.waitsFor();
        String verb = wait == null || wait.owner() == null ? "was released to" : "is owned by";
        return capital(awaited(waiter))
                + " "
                + (wait != null && wait.kind() == Wait.Kind.TASK ? "is run by" : verb)
                + " `"
                + ready.who().shortLabel()
                + "`, which has no carrier to run on.";
    }

    /** Describes each thread of {@code chain} that has something and waits itself. */
    private String between(List<Node> chain) {
        StringBuilder words = new StringBuilder();
        for (int i = 1; i < chain.size() - 1; i++) {
            threads.add(chain.get(i).who().id());
            words.append(" `")
                    .append(chain.get(i).who().shortLabel())
                    .append("` ")
                    .append(verb(chain.get(i - 1)));
            words.append(" it and waits for ").append(awaited(chain.get(i))).append('.');
        }
        return words.toString();
    }

    private static String verb(Node waiter) {
        Wait wait = waiter.waitsFor();
        return wait == null ? "has" : wait.ownerVerb();
    }

    private static String awaited(@Nullable Node waiter) {
        Wait wait = waiter == null ? null : waiter.waitsFor();
        return wait == null ? "nothing" : wait.quoted();
    }

    private static String capital(String words) {
        return Character.toUpperCase(words.charAt(0)) + words.substring(1);
    }

    /**
     * @param group its threads that do not wait for the same as the first one of its chain wait for
     *     the last one in another way
     * @param reason whether to add what keeps the threads on their carriers
     */
    private String waiters(Group group, String awaited, boolean reason) {
        String first = awaited(group.chain.getFirst());
        List<HeldCarrier> direct =
                group.held.stream()
                        .filter(each -> first.equals(awaited(graph.of(each.id()))))
                        .toList();
        int others = group.held.size() - direct.size();
        return waiters(direct, awaited, reason)
                + (others == 0
                        ? ""
                        : ", and "
                                + others
                                + (others == 1 ? " by one" : " by threads")
                                + " that in the end "
                                + (others == 1 ? "waits" : "wait")
                                + " for `"
                                + group.end().who().shortLabel()
                                + "` as well");
    }

    private String waiters(List<HeldCarrier> those, String awaited, boolean reason) {
        boolean one = those.size() == 1;
        List<HeldCarrier> inTasks = those.stream().filter(HeldCarrier::isInTask).toList();
        if (inTasks.size() == those.size()) {
            return inTasks.size()
                    + " of "
                    + held.size()
                    + (one
                            ? " carriers is blocked by a task that is no virtual thread, at "
                            : " carriers are blocked by tasks that are not virtual threads, at ")
                    + mostFrequentPlace(inTasks)
                    + (one ? ", and waits for " : ", and wait for ")
                    + awaited;
        }
        String some =
                held.size() == 1
                        ? "The only carrier"
                        : those.size() + " of " + held.size() + " carriers";
        return some
                + (one
                        ? " is held by a thread that waits for "
                        : " are held by threads that wait for ")
                + awaited
                + (reason ? " " + keepersOf(those) : "");
    }

    private static String keepersOf(List<HeldCarrier> those) {
        String keepers =
                those.stream()
                        .map(HeldCarrier::keeper)
                        .filter(Objects::nonNull)
                        .distinct()
                        .limit(MAX_KEEPERS)
                        .collect(Collectors.joining(" or "));
        return keepers.isEmpty()
                ? (those.size() == 1 ? "and is" : "and are")
                        + " pinned by something that the agent did not record"
                : keepers;
    }

    private @Nullable String onPoller() {
        List<HeldCarrier> inPoller = held.stream().filter(HeldCarrier::isInPoller).toList();
        for (Thread thread : waiting) {
            if (!inPoller.isEmpty() && thread.getName().startsWith(POLLER)) {
                return inPoller.size()
                        + " of "
                        + held.size()
                        + " carriers are held by threads that wait for a socket "
                        + keepersOf(inPoller)
                        + ". `"
                        + thread.getName()
                        + "`, the JDK's virtual thread that would wake them, has no carrier to run"
                        + " on.";
            }
        }
        return null;
    }

    private String onLoad() {
        String most = mostFrequentPlace(held);
        long there = held.stream().filter(each -> each.place().equals(most)).count();
        String carriers =
                held.size() == 1
                        ? "The only carrier is held, at "
                        : "All "
                                + held.size()
                                + " carriers are held, "
                                + (there == held.size() ? "each" : there + " of them")
                                + " at ";
        return carriers
                + most
                + queuedAtThisMoment()
                + (moved > 0
                        ? "Overload, not a deadlock: "
                                + (held.size() == 1 ? "it" : moved + " of them")
                                + " took up another thread in the second half of that time."
                        : (held.size() == 1 ? "It took up no other thread" : NONE_MOVED)
                                + " in the second half of that time.");
    }

    private String queuedAtThisMoment() {
        if (queued == 0) {
            return "; at this moment no virtual thread waits for one. ";
        }
        return ", while "
                + queued
                + (queued == 1 ? " virtual thread waits" : " virtual threads wait")
                + " for one. ";
    }

    private static String mostFrequentPlace(List<HeldCarrier> those) {
        Map<String, Integer> places = new LinkedHashMap<>();
        those.forEach(each -> places.merge(each.place(), 1, Integer::sum));
        return places.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse("an unknown place");
    }

    private String onTasks() {
        List<HeldCarrier> inTasks = held.stream().filter(HeldCarrier::isInTask).toList();
        return inTasks.isEmpty()
                ? ""
                : " "
                        + inTasks.size()
                        + " of "
                        + held.size()
                        + " carriers are blocked by tasks that are not virtual threads, at "
                        + mostFrequentPlace(inTasks)
                        + ".";
    }

    /** Describes the thread that has what most carriers wait for, and where it is. */
    private String onOwner(Group group) {
        Node end = group.end();
        threads.add(end.who().id());
        String place = places.apply(end.who().id());
        boolean onCarrier = held.stream().anyMatch(each -> each.id() == end.who().id());
        String elsewhere = onCarrier ? "." : ", and is on no carrier.";
        return " "
                + waiters(group, awaited(group.chain.getFirst()), false)
                + "."
                + between(group.chain)
                + " `"
                + end.who().shortLabel()
                + "` "
                + verb(group.chain.get(group.chain.size() - 2))
                + " it"
                + (place == null ? elsewhere : " and is at " + place + ".");
    }

    /**
     * Describes other threads that wait for a thread without a carrier, or for each other. Nothing
     * shows that the carriers wait for these.
     */
    private String onOthers() {
        StringBuilder words = new StringBuilder();
        int found = 0;
        for (Node node : graph.nodes()) {
            List<Node> chain = graph.chainFrom(node.who().id());
            boolean other = held.stream().noneMatch(each -> each.id() == node.who().id());
            if (other && found < MAX_CHAINS && chain.size() > 1 && chain.getLast().ready()) {
                found++;
                threads.add(node.who().id());
                words.append(" `")
                        .append(node.who().shortLabel())
                        .append("` waits for ")
                        .append(awaited(node));
                words.append('.').append(between(chain)).append(' ');
                words.append(withoutCarrier(chain.get(chain.size() - 2), chain.getLast()));
            }
        }
        List<Node> cycle =
                graph.nodes().stream()
                        .map(node -> graph.cycleFrom(node.who().id()))
                        .filter(each -> !each.isEmpty())
                        .findFirst()
                        .orElse(List.of());
        if (!cycle.isEmpty()) {
            words.append(" Other threads wait for each other: ").append(links(cycle).strip());
        }
        boolean unknown = !words.isEmpty() && held.stream().anyMatch(HeldCarrier::waitsForSignal);
        return (unknown ? " The JVM does not record which thread would wake them." : "") + words;
    }
}
