package io.vtagent.exporter;

import io.vtagent.diagnosis.PacedThreadGroups.Reading;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.report.AnswerFacts;
import io.vtagent.report.AnswerFacts.Place;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The positions of virtual threads, for the answer. Thread-safe.
 *
 * @param readings reads the stacks
 * @param standing finds out for how long threads have been where they are
 */
record ThreadPlaces(ThreadReadings readings, StandingThreads standing)
        implements AnswerFacts.Threads {

    @Override
    public List<Place> waiting() {
        Reading reading = readings.newest();
        List<Place> places = new ArrayList<>();
        if (reading != null) {
            ThreadGroups groups = reading.groups();
            long nowNanos = System.nanoTime();
            for (ThreadGroups.Place place : groups.places()) {
                places.add(
                        new Place(
                                place.at(),
                                inWords(place.largest().state(), place.waitsFor()),
                                place.count(),
                                groups.total(),
                                Math.max(
                                        place.longestNanos(),
                                        standing.nanos(place.count(), nowNanos))));
            }
        }
        return places;
    }

    /** Returns a clause that follows "are". */
    private static String inWords(State state, String waitsFor) {
        return switch (state) {
            case BLOCKED -> "blocked by a monitor";
            case SLEEPING -> "sleeping";
            case WAITING -> "in Object.wait";
            case PARKED -> waitsFor.equals("park") ? "parked" : "parked (" + waitsFor + ")";
            case MOUNTED, QUEUED, LOST -> "ready";
        };
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
