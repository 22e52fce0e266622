package io.vtagent.instrument;

import io.vtagent.jvm.JdkInternal;
import io.vtagent.log.AgentLog;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentNavigableMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The changes of the classes that are wrapped, until their loader is collected: the JVM takes a new
 * version of a class only with the fields and the modifiers that the class was loaded with.
 * Thread-safe. The application's threads load the classes, so it is lock-free: with a {@code
 * ConcurrentHashMap} they would wait for each other's removals.
 */
final class WrappedClasses implements Predicate<String> {

    /**
     * The changes of a class that the JVM compares.
     *
     * @param unsynchronized names, each with its descriptor, of the methods that lost the modifier
     * @param serialVersionUid the value of the field that was added, or null if there was none to
     *     add
     */
    record Change(Set<String> unsynchronized, @Nullable Long serialVersionUid) {
        /** A class that was loaded before, or without methods to wrap. */
        static final Change NONE = new Change(Set.of(), null);
    }

    /**
     * By the loader's identity: its {@code equals} and {@code hashCode} are the application's code.
     * Nearly always there is one of a hash. A list never changes.
     */
    private final ConcurrentNavigableMap<Integer, List<OfLoader>> byHash =
            new ConcurrentSkipListMap<>();

    /**
     * By a part of a class name's hash: whether there was ever a class with it. Nearly all classes
     * have nothing to wrap and ask to be forgotten, for which the map takes microseconds while its
     * code is cold. An array of bits could lose one that two threads set at once.
     */
    private final boolean[] mayBeThere = new boolean[8_192];

    static {
        // the map counts by a LongAdder: two threads that do so at once would load this class, and
        // one would wait for
        // the other
        try {
            Class<?> unused = JdkInternal.COUNTER_CELL.initializedType();
        } catch (ClassNotFoundException another) {
            AgentLog.debug("LongAdder is not as expected", another);
        }
    }

    /** The classes of a loader, by name with slashes. */
    private static final class OfLoader extends WeakReference<ClassLoader> {
        private final ConcurrentNavigableMap<String, Change> changes =
                new ConcurrentSkipListMap<>();

        OfLoader(ClassLoader loader) {
            super(loader);
        }
    }

    /**
     * Remembers a class.
     *
     * @param className with slashes
     * @return whether there was none of that name in {@code loader}
     */
    boolean put(ClassLoader loader, String className, Change change) {
        mayBeThere[place(className)] = true;
        OfLoader classes = find(loader);
        if (classes == null) {
            removeCollected();
            classes = add(loader);
        }
        return classes.changes.put(className, change) == null;
    }

    /** Forgets a class. */
    void remove(ClassLoader loader, String className) {
        OfLoader classes = mayBeThere[place(className)] ? find(loader) : null;
        if (classes != null) {
            classes.changes.remove(className);
        }
    }

    private int place(String className) {
        return className.hashCode() & (mayBeThere.length - 1);
    }

    @Nullable Change get(ClassLoader loader, String className) {
        OfLoader classes = find(loader);
        return classes == null ? null : classes.changes.get(className);
    }

    /**
     * Returns whether any loader has a wrapped class of that name, with dots. Loaders that have the
     * same class load it in the same way.
     */
    @Override
    public boolean test(String name) {
        return contains(name);
    }

    boolean contains(String name) {
        String className = name.replace('.', '/');
        for (List<OfLoader> loaders : byHash.values()) {
            for (OfLoader classes : loaders) {
                if (classes.changes.containsKey(className)) {
                    return true;
                }
            }
        }
        return false;
    }

    /** Returns the number of remembered classes that have no change that the JVM compares. */
    int unchanged() {
        int unchanged = 0;
        for (List<OfLoader> loaders : byHash.values()) {
            for (OfLoader classes : loaders) {
                if (!classes.refersTo(null)) {
                    unchanged += Collections.frequency(classes.changes.values(), Change.NONE);
                }
            }
        }
        return unchanged;
    }

    /** Returns the number of remembered loaders. */
    int loaders() {
        removeCollected();
        return byHash.values().stream().mapToInt(List::size).sum();
    }

    private @Nullable OfLoader find(ClassLoader loader) {
        return findIn(byHash.getOrDefault(System.identityHashCode(loader), List.of()), loader);
    }

    private static @Nullable OfLoader findIn(List<OfLoader> loaders, ClassLoader loader) {
        for (OfLoader classes : loaders) {
            if (classes.refersTo(loader)) {
                return classes;
            }
        }
        return null;
    }

    private OfLoader add(ClassLoader loader) {
        OfLoader added = new OfLoader(loader);
        int hash = System.identityHashCode(loader);
        while (true) {
            List<OfLoader> others = byHash.putIfAbsent(hash, List.of(added));
            if (others == null) {
                return added;
            }
            OfLoader found = findIn(others, loader);
            if (found != null) {
                return found;
            }
            List<OfLoader> all = new ArrayList<>(others);
            all.add(added);
            if (byHash.replace(hash, others, List.copyOf(all))) {
                return added;
            }
        }
    }

    /**
     * Not by a {@code ReferenceQueue}, whose lock the thread that loads a class could have to wait
     * for.
     */
    private void removeCollected() {
        for (Map.Entry<Integer, List<OfLoader>> entry : byHash.entrySet()) {
            List<OfLoader> loaders = entry.getValue();
            List<OfLoader> rest = rest(loaders);
            if (rest.isEmpty()) {
                byHash.remove(entry.getKey(), loaders);
            } else if (rest.size() < loaders.size()) {
                byHash.replace(entry.getKey(), loaders, rest);
            }
        }
    }

    private static List<OfLoader> rest(List<OfLoader> loaders) {
        List<OfLoader> rest = new ArrayList<>();
        for (OfLoader classes : loaders) {
            if (!classes.refersTo(null)) {
                rest.add(classes);
            }
        }
        return List.copyOf(rest);
    }
}
