package io.vtagent.bridge;

import io.vtagent.log.AgentLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Fills the registries of the application's own Micrometer, of each copy of it. For one thread of the agent. */
public final class Bridge implements AutoCloseable {
    private static final long LONGEST_END_NANOS = 5_000_000_000L;

    private static final long EVERY_NANOS = 1_000_000_000;

    private final Supplier<Figures> maker;
    private final long everyNanos;
    private final List<Serving> servings = new ArrayList<>();
    private @Nullable Figures figures;

    /** @param maker asked when there is a registry to fill */
    public Bridge(Supplier<Figures> maker) {
        this(maker, EVERY_NANOS);
    }

    Bridge(Supplier<Figures> maker, long everyNanos) {
        this.maker = maker;
        this.everyNanos = everyNanos;
    }

    /** Brings all values up to date. */
    public void update() {
        servings.removeIf(Serving::hasEnded);
        if (servings.isEmpty()) {
            forget();
        } else if (figures != null) {
            figures.update();
        }
    }

    /** Fills the registry of one more copy, from now on. */
    public void add(Class<?> metrics) {
        if (servings.stream().anyMatch(serving -> serving.isFor(metrics))) {
            return;
        }
        if (figures == null) {
            figures = maker.get();
        }
        Serving serving = new Serving(metrics, figures, everyNanos);
        servings.add(serving); // first: one that runs and that nobody knows would never end
        try {
            serving.start();
        } catch (Throwable noThread) {
            servings.remove(serving);
            throw noThread;
        }
    }

    /** How many copies are filled. */
    int served() {
        return servings.size();
    }

    /** Takes all meters out again, unless the application's code makes that last too long. */
    @Override
    public void close() {
        servings.forEach(Serving::end);
        long beganNanos = System.nanoTime();
        for (Serving serving : servings) {
            if (!serving.awaitEnd(LONGEST_END_NANOS - (System.nanoTime() - beganNanos))) {
                AgentLog.debug("the application's registry does not let the agent's meters go");
            }
        }
        servings.clear();
        forget();
    }

    private void forget() {
        if (figures != null) {
            figures.close();
            figures = null;
        }
    }
}
