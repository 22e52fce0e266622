package io.vtagent.report;

import io.vtagent.diagnosis.Diagnosis;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a period from which the answer is found.
 *
 * @param report the pins of the period; its uptime is the length of the period
 * @param ran whether a virtual thread has run in this JVM
 * @param cpus the number of CPUs that the JVM may use
 * @param threads where virtual threads are at the end of the period
 */
public record AnswerFacts(PinReport report, boolean ran, int cpus, Threads threads) {

    /** The positions of virtual threads. It reads their stacks, and only when it is asked. */
    public interface Threads {
        /** No thread is known. */
        Threads UNKNOWN =
                new Threads() {
                    @Override
                    public List<Place> waiting() {
                        return List.of();
                    }

                    @Override
                    public @Nullable String computing() {
                        return null;
                    }

                    @Override
                    public @Nullable Deadlock deadlock() {
                        return null;
                    }
                };

        /** Returns where threads wait without a carrier, the place with most threads first. */
        List<Place> waiting();

        /** Returns the line at which most carriers compute now; null if that is not known. */
        @Nullable String computing();

        /** Returns the threads that wait for each other without carriers; null if none do. */
        @Nullable Deadlock deadlock();
    }

    /**
     * Virtual threads that wait for each other's locks for ever, and hold no carrier.
     *
     * @param links the members, each of which waits for what the next one has
     * @param line where one of them waits, as {@code class.method:line}; null if it is not known
     */
    public record Deadlock(List<Diagnosis.Link> links, @Nullable String line) {}

    /** What threads wait for, as far as it shows whether something may be wrong. */
    public enum Purpose {
        /** A lock or a pool: somebody keeps the threads waiting. */
        BLOCKED,
        /** A socket. The peer may be slow, or the connection idle. */
        PEER,
        /** The threads sleep. */
        SLEEP,
        /** The threads wait for their next work, in a queue, for a connection or an event. */
        WORK
    }

    /**
     * Virtual threads that wait at the same line.
     *
     * @param line as {@code class.method:line}
     * @param waitsFor a clause that follows "are", such as {@code parked (Semaphore)}
     * @param threads the number of threads
     * @param alive the number of all virtual threads that are alive
     * @param nanos the time since the first reading that found one of them there; it may have left
     *     in between
     */
    public record Place(
            String line, String waitsFor, Purpose purpose, long threads, long alive, long nanos) {}
}
