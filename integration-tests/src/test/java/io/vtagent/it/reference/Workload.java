package io.vtagent.it.reference;

import java.io.IOException;
import java.time.Duration;

/** A way of holding carriers. Used by several virtual threads at once, again and again. */
interface Workload extends AutoCloseable {

    /** A way to make one. */
    @FunctionalInterface
    interface Factory {
        /**
         * @param threads how many will use it
         * @param limit how long they may go on
         */
        Workload create(int threads, Duration limit) throws Exception;
    }

    /**
     * Holds the carrier for some milliseconds, where that is what it does on this JDK.
     *
     * @param thread which of the threads this is, from 0
     * @param round how often this thread was here before
     */
    void hold(int thread, int round) throws Exception;

    @Override
    default void close() throws IOException {}
}
