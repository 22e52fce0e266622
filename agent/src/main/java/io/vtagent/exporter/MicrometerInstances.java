package io.vtagent.exporter;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/**
 * The application's copies of Micrometer. The finder returns each copy only once, so this class
 * keeps them for later bridges. For the thread that runs all exporters.
 */
final class MicrometerInstances {
    private final Supplier<List<Class<?>>> finder;
    private final List<WeakReference<Class<?>>> found = new ArrayList<>();

    /**
     * @param finder returns the copies that are new
     */
    MicrometerInstances(Supplier<List<Class<?>>> finder) {
        this.finder = finder;
    }

    /** Returns the copies found so far whose class loaders still exist. */
    List<Class<?>> all() {
        finder.get().forEach(each -> found.add(new WeakReference<>(each)));
        if (found.isEmpty()) { // the usual case, once a second
            return List.of();
        }
        found.removeIf(each -> each.refersTo(null));
        List<Class<?>> all = new ArrayList<>();
        found.stream().map(Reference::get).filter(Objects::nonNull).forEach(all::add);
        return all;
    }
}
