package io.vtagent.outlet;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** What is made when it is asked for first; what cannot be made, the next time. Thread-safe. */
final class OnDemand<T> {
    private final Supplier<T> maker;
    private @Nullable T made;

    OnDemand(Supplier<T> maker) {
        this.maker = maker;
    }

    synchronized T get() {
        T known = made;
        if (known == null) {
            known = maker.get();
            made = known;
        }
        return known;
    }
}
