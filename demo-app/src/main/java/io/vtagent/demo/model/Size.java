package io.vtagent.demo.model;

/**
 * How big a run is.
 *
 * @param tasks how many tasks there are; what a task is, is up to the case
 * @param latencyMillis how long each of them is blocked
 */
public record Size(int tasks, int latencyMillis) {

    /** Which size a run has, unless the command line says another. */
    public enum Scale {
        /** Suits a machine of two cores: seconds a variant. */
        QUICK,
        /** That of the article. */
        FULL
    }
}
