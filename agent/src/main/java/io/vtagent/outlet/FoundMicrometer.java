package io.vtagent.outlet;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;

/** The application's copies of Micrometer, for whoever bridges to them next: they are found once. For the thread of all outlets. */
final class FoundMicrometer {
    private final Supplier<List<Class<?>>> finder;
    private final List<WeakReference<Class<?>>> found = new ArrayList<>();

    /** @param finder gives those that are new */
    FoundMicrometer(Supplier<List<Class<?>>> finder) {
        this.finder = finder;
    }

    /** Those that were found until now and whose class loaders are not gone. */
    List<Class<?>> all() {
        finder.get().forEach(each -> found.add(new WeakReference<>(each)));
        if (found.isEmpty()) { // each second of most applications
            return List.of();
        }
        found.removeIf(each -> each.refersTo(null));
        List<Class<?>> all = new ArrayList<>();
        found.stream().map(Reference::get).filter(Objects::nonNull).forEach(all::add);
        return all;
    }
}
