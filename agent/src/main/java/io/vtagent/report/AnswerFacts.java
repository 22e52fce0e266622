package io.vtagent.report;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * The measurements of a period from which the answer is found.
 *
 * @param report the pins of the period; its uptime is the length of the period
 * @param ran whether a virtual thread has run in this JVM
 * @param threads where virtual threads are at the end of the period
 */
public record AnswerFacts(PinReport report, boolean ran, Threads threads) {

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
                };

        /** Returns where threads wait without a carrier, the place with most threads first. */
        List<Place> waiting();

        /** Returns the line at which most carriers compute now; null if that is not known. */
        @Nullable String computing();
    }

    /**
     * Virtual threads that wait at the same line.
     *
     * @param line as {@code class.method:line}
     * @param waitsFor a clause that follows "are", such as {@code parked by a Semaphore}
     * @param threads the number of threads
     * @param alive the number of all virtual threads that are alive
     * @param nanos how long the longest of them has waited, at least
     */
    public record Place(String line, String waitsFor, long threads, long alive, long nanos) {}
}
