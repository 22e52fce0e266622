package io.vtagent.exporter.bridge;

import io.vtagent.log.AgentLog;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Publishes the agent's meters to the registries of each copy of Micrometer in the application. For
 * one thread of the agent.
 */
public final class Bridge implements AutoCloseable {
    private static final long MAX_END_NANOS = 5_000_000_000L;

    private static final long EVERY_NANOS = 1_000_000_000;

    private final Supplier<CachedMeterRegistry> maker;
    private final long everyNanos;
    private final List<BridgeWorker> servings = new ArrayList<>();
    private @Nullable CachedMeterRegistry figures;

    /**
     * @param maker called when there is a registry to fill
     */
    public Bridge(Supplier<CachedMeterRegistry> maker) {
        this(maker, EVERY_NANOS);
    }

    Bridge(Supplier<CachedMeterRegistry> maker, long everyNanos) {
        this.maker = maker;
        this.everyNanos = everyNanos;
    }

    /** Updates all values. */
    public void update() {
        servings.removeIf(BridgeWorker::hasEnded);
        if (servings.isEmpty()) {
            forget();
        } else if (figures != null) {
            figures.update();
        }
    }

    /** Starts to fill the registries of one more copy. */
    public void add(Class<?> metrics) {
        if (servings.stream().anyMatch(serving -> serving.isFor(metrics))) {
            return;
        }
        if (figures == null) {
            figures = maker.get();
        }
        BridgeWorker serving = new BridgeWorker(metrics, figures, everyNanos);
        servings.add(serving); // first: a running worker outside the list would never be ended
        try {
            serving.start();
        } catch (Throwable noThread) {
            servings.remove(serving);
            throw noThread;
        }
    }

    /** Returns the number of copies that are filled. */
    int served() {
        return servings.size();
    }

    /**
     * Removes all meters from the application's registries, unless the application's code takes too
     * long.
     */
    @Override
    public void close() {
        servings.forEach(BridgeWorker::end);
        long beganNanos = System.nanoTime();
        for (BridgeWorker serving : servings) {
            if (!serving.awaitEnd(MAX_END_NANOS - (System.nanoTime() - beganNanos))) {
                AgentLog.debug(
                        "the agent's meters cannot be removed from the application's"
                                + " registry");
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
