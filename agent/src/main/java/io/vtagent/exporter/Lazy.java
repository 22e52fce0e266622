package io.vtagent.exporter;

import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A lazily created value. If creation fails, the next call retries. Thread-safe. */
final class Lazy<T> {
    private final Supplier<T> maker;
    private @Nullable T made;

    Lazy(Supplier<T> maker) {
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
