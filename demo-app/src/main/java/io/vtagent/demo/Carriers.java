package io.vtagent.demo;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The carriers that a run was seen on, told apart as the article does it: by what a virtual thread's {@code toString} ends with. */
final class Carriers {

    private final Set<String> seen = ConcurrentHashMap.newKeySet();

    /** Notes the carrier of the virtual thread that calls. */
    void see() {
        seen.add(current());
    }

    int count() {
        return seen.size();
    }

    /** The carrier of the virtual thread that calls, such as {@code ForkJoinPool-1-worker-3}. */
    static String current() {
        return Thread.currentThread().toString().split("@", 2)[1];
    }
}
