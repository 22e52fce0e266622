package io.vtagent.demo;

import java.util.List;

/** One workload, as it is often written and as it is mended. A new one is a class of its own and a line in {@link Catalogue}. */
public sealed interface DemoCase permits ArticleCacheDemo, ConnectionPoolDemo {

    String name();

    /** What the case shows, in one sentence. */
    String shows();

    /** The names that {@link #run} takes, the one that holds carriers first. */
    List<String> variants();

    /** Sets up, warms up on platform threads, drives the workload with virtual threads, and tells how long that took. */
    Result run(String variant, Settings settings) throws Exception;
}
