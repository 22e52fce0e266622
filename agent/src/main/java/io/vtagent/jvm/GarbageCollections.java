package io.vtagent.jvm;

import io.vtagent.log.AgentLog;
import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.management.GarbageCollectorMXBean;
import java.util.List;

/**
 * The garbage collections of this JVM. A query costs less than 1 &micro;s. For use by one thread.
 */
public final class GarbageCollections {
    private final List<?> collectors = collectors();
    private long count = count();

    /**
     * Does not use {@code ManagementFactory}, which loads {@code javax.management.ObjectName} and
     * what that needs: an application that has classes of these names in a loader of its own would
     * be affected.
     */
    private static List<?> collectors() {
        try {
            Class<?> helper = JdkInternal.COLLECTOR_BEANS.initializedType();
            MethodHandle beans =
                    JdkInternal.COLLECTOR_BEANS.handle(
                            MethodHandles.privateLookupIn(helper, MethodHandles.lookup()));
            return (List<?>) beans.invoke();
        } catch (Throwable missing) {
            AgentLog.debug("the number of collections is not known:", missing);
            return List.of();
        }
    }

    /**
     * Returns whether a collection has ended since the previous call; false if that is not known.
     */
    public boolean anyNew() {
        long before = count;
        count = count();
        return count != before;
    }

    private long count() {
        long sum = 0;
        for (int i = 0; i < collectors.size(); i++) {
            sum += ((GarbageCollectorMXBean) collectors.get(i)).getCollectionCount();
        }
        return sum;
    }
}
