package io.vtagent.demo.model;

/**
 * The size of a run.
 *
 * @param tasks how many tasks there are; what a task is, is up to the case
 * @param latencyMillis how long each of them is blocked
 */
public record Size(int tasks, int latencyMillis) {

    /** The size of a run, unless the command line has another. */
    public enum Scale {
        /** Suits a machine of two cores: seconds a variant. */
        QUICK,
        /** That of the article. */
        FULL
    }
}
