package io.vtagent.diagnosis;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The virtual threads that were alive at one moment, grouped by their stacks, the largest group
 * first. Immutable.
 *
 * @param total the number of virtual threads alive
 * @param areAllKnown whether the JDK lists all threads; false with {@code
 *     -Djdk.trackAllThreads=false}
 * @param mounted those on a carrier
 * @param queued those that are ready to run and wait for a carrier
 * @param waiting those that wait for something else
 * @param sampled the number of waiting threads whose stacks were read, a random sample if it is
 *     less than {@code waiting}; the counts of groups are extrapolated then
 * @param moved the number of waiting threads, extrapolated as well, that ran before their stacks
 *     could be read
 * @param isComplete whether all threads were counted in the time that there was
 * @param tookNanos the time that the reading took
 * @param deadlock null if none was found
 */
public record ThreadGroups(
        long total,
        boolean areAllKnown,
        long mounted,
        long queued,
        long waiting,
        int sampled,
        long moved,
        boolean isComplete,
        long tookNanos,
        List<Group> groups,
        @Nullable Deadlock deadlock) {

    /**
     * Threads without carriers that wait for each other's locks for ever.
     *
     * @param links the members, each of which waits for what the next one has
     * @param place where one of them waits, as {@code class.method:line}; empty if all its frames
     *     are the JDK's
     */
    public record Deadlock(List<Diagnosis.Link> links, String place) {}

    /** The activity of the threads of a group. */
    public enum State {
        /** On a carrier, running or pinned. */
        MOUNTED,
        /** Ready to run, in a queue of the scheduler or about to be. */
        QUEUED,
        /** Ready to run for at least a second, and in no queue: nothing will run it. */
        LOST,
        /** Waiting to enter a monitor. */
        BLOCKED,
        /** In {@code Object.wait}. */
        WAITING,
        /** In {@code Thread.sleep}. */
        SLEEPING,
        /** Parked: locks, queues, sockets. */
        PARKED;

        /** Returns the name in reports. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /**
     * Threads with the same stack in the same state.
     *
     * @param waitsFor the kind of object or operation, such as {@code Semaphore}, {@code socket},
     *     {@code sleep} or {@code monitor}; empty if the threads do not wait
     * @param place the nearest frame of the user's own, as {@code class.method:line}; empty if all
     *     frames are the JDK's, or the stack was not read
     * @param operation the public API that the threads have called, as {@code class.method}; empty
     *     if the stack was not read
     * @param frames the frames as {@link StackTraceElement} prints them, the innermost first; empty
     *     if the stack was not read
     * @param count the number of threads, extrapolated if stacks were sampled
     * @param sampled the number of threads whose stacks were read
     * @param longestNanos the longest time for which readings have found one of them in this group
     * @param container the executor, or another container, of most of them; empty if they were
     *     started directly
     * @param containers the number of different containers
     * @param example the name of one of them; may be empty
     * @param exampleId the number of the same thread
     * @param lock the lock, with its identity, for which most of them wait; null if there is none
     * @param locks the number of different locks
     * @param owner the thread that has {@code lock}; null if none has, or it is not known
     */
    public record Group(
            State state,
            String waitsFor,
            String place,
            String operation,
            List<String> frames,
            long count,
            int sampled,
            long longestNanos,
            String container,
            int containers,
            String example,
            long exampleId,
            @Nullable String lock,
            int locks,
            @Nullable String owner) {

        /** Returns the part of {@code total} threads that this group is, from 0 to 1. */
        public double shareOf(long total) {
            return total <= 0 ? 0 : Math.min(1, (double) count / total);
        }
    }

    /** Returns the number of the JDK's own virtual threads that wait for sockets, since JDK 22. */
    public long pollers() {
        return groups.stream()
                .filter(group -> group.place.isEmpty())
                .filter(group -> group.frames.stream().anyMatch(WaitKind::isPollerLoop))
                .mapToLong(Group::count)
                .sum();
    }

    /** Returns whether the stacks of some waiting threads only were read. */
    public boolean isSample() {
        return sampled < waiting;
    }

    /**
     * Threads that wait for the same kind of thing at the same line.
     *
     * @param at the nearest frame of the user's own, as {@code class.method:line}
     * @param count the number of threads, extrapolated if stacks were sampled
     * @param longestNanos the longest time for which readings have found one of them there
     * @param largest the largest of the groups that wait there
     */
    public record Place(String at, String waitsFor, long count, long longestNanos, Group largest) {
        private Place and(Group other) {
            return new Place(
                    at,
                    waitsFor,
                    count + other.count,
                    Math.max(longestNanos, other.longestNanos),
                    largest);
        }
    }

    /**
     * Returns where threads wait, the place with the most threads first. Leaves out the groups in
     * which all frames are the JDK's.
     */
    public List<Place> places() {
        Map<String, Place> places = new LinkedHashMap<>();
        for (Group group : groups) {
            boolean waits =
                    group.state != State.MOUNTED
                            && group.state != State.QUEUED
                            && group.state != State.LOST;
            if (waits && !group.place.isEmpty()) {
                places.merge(
                        group.place + " " + group.waitsFor,
                        new Place(
                                group.place,
                                group.waitsFor,
                                group.count,
                                group.longestNanos,
                                group),
                        (known, added) -> known.and(added.largest));
            }
        }
        List<Place> sorted = new ArrayList<>(places.values());
        sorted.sort(Comparator.comparingLong(Place::count).reversed());
        return sorted;
    }
}
