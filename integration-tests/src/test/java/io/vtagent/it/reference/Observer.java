package io.vtagent.it.reference;

import java.io.IOException;

/** An observer in the same JVM that times held carriers too. */
public interface Observer extends AutoCloseable {

    /** The available observers. */
    enum Kind {
        /**
         * No observer in the program itself; the agent, if the JVM has it, is asked by the test.
         */
        NOBODY,
        /** The JVM's own event {@code jdk.VirtualThreadPinned}, however short. */
        JFR,
        /** Micrometer's {@code VirtualThreadMetrics} as it is shipped. */
        MICROMETER,
        /** The sampler once more: how far two of them differ is how exact one is. */
        SAMPLER
    }

    static Observer of(Kind kind) throws InterruptedException {
        return switch (kind) {
            case NOBODY -> () -> 0;
            case JFR -> new JfrObserver();
            case MICROMETER -> new MicrometerObserver();
            case SAMPLER -> new SamplerObserver();
        };
    }

    /** The time so far of all that has ended, when nothing is held. Waits for what comes late. */
    long heldNanos() throws IOException, InterruptedException;

    @Override
    default void close() {}
}
