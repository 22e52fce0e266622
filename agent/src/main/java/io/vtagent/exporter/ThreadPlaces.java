package io.vtagent.exporter;

import io.vtagent.diagnosis.PacedThreadGroups.Reading;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.report.AnswerFacts;
import io.vtagent.report.AnswerFacts.Deadlock;
import io.vtagent.report.AnswerFacts.Place;
import io.vtagent.report.AnswerFacts.Purpose;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The positions of virtual threads, for the answer. Thread-safe.
 *
 * @param readings reads the stacks
 * @param standing finds out for how long threads have been where they are
 */
record ThreadPlaces(ThreadReadings readings, StandingThreads standing)
        implements AnswerFacts.Threads {
    /** Methods of queues, server sockets and selectors that wait for the next work. */
    private static final Set<String> METHODS_OF_WORKERS =
            Set.of("take", "takeFirst", "takeLast", "accept", "select");

    /** Pools hand over what they have through it. */
    private static final String HANDS_OVER = "java.util.concurrent.SynchronousQueue.";

    @Override
    public List<Place> waiting() {
        Reading reading = readings.newest();
        List<Place> places = new ArrayList<>();
        if (reading != null) {
            ThreadGroups groups = reading.groups();
            long alive = groups.total() - groups.pollers();
            long nowNanos = System.nanoTime();
            for (ThreadGroups.Place place : groups.places()) {
                places.add(
                        new Place(
                                place.at(),
                                inWords(place.largest()),
                                purpose(place.largest()),
                                place.count(),
                                alive,
                                Math.max(
                                        place.longestNanos(),
                                        standing.nanos(place.count(), nowNanos))));
            }
        }
        return places;
    }

    /** Returns a clause that follows "are". */
    private static String inWords(ThreadGroups.Group group) {
        return switch (group.state()) {
            case BLOCKED -> "blocked by a monitor";
            case SLEEPING -> "sleeping";
            case WAITING -> "in Object.wait";
            case PARKED ->
                    group.waitsFor().equals("park") ? "parked" : "parked (" + objectOf(group) + ")";
            case MOUNTED, QUEUED, LOST -> "ready";
        };
    }

    /** Returns what they wait for; the queue or pool instead of its condition. */
    private static String objectOf(ThreadGroups.Group group) {
        boolean isCondition = group.waitsFor().startsWith("condition ");
        return isCondition && group.operation().startsWith("java.util.concurrent.")
                ? group.operation().substring("java.util.concurrent.".length())
                : group.waitsFor();
    }

    private static Purpose purpose(ThreadGroups.Group group) {
        String operation = group.operation();
        String method = operation.substring(operation.lastIndexOf('.') + 1);
        if (group.state() == State.SLEEPING) {
            return Purpose.SLEEP;
        }
        if (operation.startsWith("java.")
                && METHODS_OF_WORKERS.contains(method)
                && !operation.startsWith(HANDS_OVER)) {
            return Purpose.WORK;
        }
        return group.waitsFor().equals("socket") ? Purpose.PEER : Purpose.BLOCKED;
    }

    @Override
    public @Nullable Deadlock deadlock() {
        Reading reading = readings.newest();
        ThreadGroups.Deadlock found = reading == null ? null : reading.groups().deadlock();
        return found == null
                ? null
                : new Deadlock(found.links(), found.place().isEmpty() ? null : found.place());
    }

    @Override
    public @Nullable String computing() {
        Reading reading = readings.newest();
        if (reading == null) {
            return null;
        }
        Map<String, Long> mounted = new HashMap<>();
        for (ThreadGroups.Group group : reading.groups().groups()) {
            if (group.state() == State.MOUNTED && !group.place().isEmpty()) {
                mounted.merge(group.place(), group.count(), Long::sum);
            }
        }
        return mounted.entrySet().stream()
                .max(Map.Entry.comparingByValue())
                .map(Map.Entry::getKey)
                .orElse(null);
    }
}
