package io.vtagent.watch;

import io.vtagent.vm.CarrierPool;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** What each carrier carries, from one look to the next, and when it took that up. For one thread. */
final class Mounts {
    private final CarrierPool pool;
    private final Map<Thread, Thread> mounted = new HashMap<>();
    private final Map<Thread, Long> changedAtNanos = new HashMap<>();
    private long newestNanos;
    private long changes;

    Mounts(CarrierPool pool) {
        this.pool = pool;
    }

    /** Forgets all that was seen before {@code nowNanos}. */
    void begin(long nowNanos) {
        mounted.clear();
        changedAtNanos.clear();
        newestNanos = nowNanos;
    }

    void look(long nowNanos, List<Thread> carriers) {
        for (Thread carrier : carriers) {
            Thread thread = pool.mountedOn(carrier);
            Thread before = thread == null ? null : mounted.put(carrier, thread);
            if (before != null && before != thread) {
                changedAtNanos.put(carrier, nowNanos);
                newestNanos = nowNanos;
                changes++;
            }
        }
    }

    /** When a carrier was last seen with another thread than before; a carrier that is new does not count. */
    long newestNanos() {
        return newestNanos;
    }

    /** How often that was seen. */
    long changes() {
        return changes;
    }

    /** How many carriers have taken up another thread after {@code nanos}. */
    int changedAfter(long nanos) {
        return (int) changedAtNanos.values().stream()
                .filter(time -> time - nanos > 0)
                .count();
    }
}
