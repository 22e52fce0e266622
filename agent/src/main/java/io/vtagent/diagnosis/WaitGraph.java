package io.vtagent.diagnosis;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The virtual and platform threads, and what each of them waits for. A thread waits for at most one
 * thing, which at most one thread has. Immutable.
 */
final class WaitGraph {
    /**
     * A thread.
     *
     * @param ready whether it is a virtual thread that could run and has no carrier
     * @param waitsFor null if it waits for nothing, or if that is not known
     */
    record Node(ThreadLabel who, boolean ready, @Nullable Wait waitsFor) {
        @Nullable ThreadLabel needed() {
            return waitsFor == null ? null : waitsFor.needed();
        }
    }

    private final Map<Long, Node> nodes = new LinkedHashMap<>();

    WaitGraph(Collection<Node> threads) {
        threads.forEach(node -> nodes.put(node.who.id(), node));
    }

    /**
     * Returns what this graph and {@code later} agree on. What has not changed in between was true
     * at one moment.
     */
    WaitGraph confirmedBy(WaitGraph later) {
        return new WaitGraph(
                nodes.values().stream()
                        .filter(node -> node.equals(later.nodes.get(node.who.id())))
                        .toList());
    }

    /**
     * Returns this graph as far as it fits {@code held}, the carriers as they were read between the
     * two readings of it. Threads that take turns at a monitor may be found in the same roles at
     * both readings, and in other ones in between.
     */
    WaitGraph fitting(Collection<HeldCarrier> held) {
        Map<Long, HeldCarrier> byThread = new HashMap<>();
        held.forEach(each -> byThread.put(each.id(), each));
        return new WaitGraph(nodes.values().stream().map(node -> fitting(node, byThread)).toList());
    }

    private Node fitting(Node node, Map<Long, HeldCarrier> held) {
        Wait wait = node.waitsFor;
        if (wait == null || wait.kind() != Wait.Kind.MONITOR) {
            return node;
        }
        HeldCarrier waiter = held.get(node.who.id());
        if (waiter != null && !waiter.isEntering()) {
            return new Node(node.who, node.ready, null);
        }
        ThreadLabel owner = wait.owner();
        HeldCarrier ofOwner = owner == null ? null : held.get(owner.id());
        boolean fits =
                owner == null
                        || ofOwner == null
                        || !ofOwner.isEntering()
                        || waitsForAnother(owner.id(), wait);
        return fits
                ? node
                : new Node(node.who, node.ready, new Wait(wait.kind(), wait.name(), null, null));
    }

    /** Returns whether {@code thread} is known to wait for something else than {@code wait}. */
    private boolean waitsForAnother(long thread, Wait wait) {
        Node node = nodes.get(thread);
        Wait its = node == null ? null : node.waitsFor;
        return its != null && !its.name().equals(wait.name());
    }

    Collection<Node> nodes() {
        return nodes.values();
    }

    @Nullable Node of(long thread) {
        return nodes.get(thread);
    }

    /**
     * Returns {@code thread}, the thread that it needs to go on, and so on up to the last known
     * one. A thread of a cycle occurs once.
     */
    List<Node> chainFrom(long thread) {
        Map<Long, Node> chain = new LinkedHashMap<>();
        Node node = nodes.get(thread);
        while (node != null && chain.putIfAbsent(node.who.id(), node) == null) {
            ThreadLabel needed = node.needed();
            node = needed == null ? null : nodes.get(needed.id());
        }
        return List.copyOf(chain.values());
    }

    /**
     * Returns the threads that wait for each other for ever, if {@code thread} is one of them or
     * waits for one; else an empty list.
     */
    List<Node> cycleFrom(long thread) {
        List<Node> cycle = anyCycleFrom(thread);
        return cycle.stream().anyMatch(WaitGraph::isTimed) ? List.of() : cycle;
    }

    /** Returns the same for a cycle that ends with a time limit. */
    List<Node> timedCycleFrom(long thread) {
        List<Node> cycle = anyCycleFrom(thread);
        return cycle.stream().anyMatch(WaitGraph::isTimed) ? cycle : List.of();
    }

    private List<Node> anyCycleFrom(long thread) {
        List<Node> chain = chainFrom(thread);
        ThreadLabel closing = chain.isEmpty() ? null : chain.getLast().needed();
        for (int i = 0;
                closing != null && i < chain.size() - 1;
                i++) { // a thread that needs itself has just got it
            List<Node> rest = chain.subList(i, chain.size());
            if (chain.get(i).who.id() == closing.id()
                    && rest.stream().allMatch(WaitGraph::isOwned)) {
                return new ArrayList<>(rest);
            }
        }
        return List.of();
    }

    static boolean isTimed(Node node) {
        return node.waitsFor != null && node.waitsFor.timed();
    }

    /**
     * Returns whether a thread has what {@code node} waits for. What is free does not keep a cycle
     * closed.
     */
    private static boolean isOwned(Node node) {
        return node.waitsFor != null && node.waitsFor.owner() != null;
    }
}
