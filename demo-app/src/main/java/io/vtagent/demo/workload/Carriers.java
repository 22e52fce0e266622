package io.vtagent.demo.workload;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The carriers that a run used, distinguished as in the article: by the end of a virtual thread's
 * {@code toString}.
 */
public final class Carriers {

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** Notes the carrier of the virtual thread that calls. */
    public void see() {
        seen.add(current());
    }

    public int count() {
        return seen.size();
    }

    /** The carrier of the virtual thread that calls, such as {@code ForkJoinPool-1-worker-3}. */
    public static String current() {
        return Thread.currentThread().toString().split("@", 2)[1];
    }
}
