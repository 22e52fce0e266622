package io.vtagent.demo.model;

import java.util.List;
import java.util.Optional;

/**
 * One thing that the articles claim, made to run. A new one is a folder of its own and a line in
 * {@code Catalogue}.
 */
public interface DemoCase {

    String name();

    /** Returns what the case shows, in one sentence. */
    String shows();

    /** Returns what the articles claim about it. */
    List<Claim> claims();

    /** Returns the result here, where that differs from the article, and why. */
    String comparison();

    /** The name of the figure that the variants are compared by; every result begins with it. */
    String figure();

    /** The first is the one that people would write. */
    List<Variant> variants();

    Size size(String variant, Size.Scale scale);

    /** The module whose classes and libraries the case needs beyond those of the demo. */
    default Optional<String> module() {
        return Optional.empty();
    }

    /**
     * Sets up, warms up without virtual threads as far as that is possible, drives the workload,
     * and returns the result.
     */
    Result run(String variant, Settings settings) throws Exception;

    /** Returns the result of a run, for a case that adds the agent's figures to it. */
    default Result besideAgent(String variant, Result result, AgentFigures seen) {
        return result;
    }
}
