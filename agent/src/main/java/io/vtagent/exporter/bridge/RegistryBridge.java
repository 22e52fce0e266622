package io.vtagent.exporter.bridge;

import io.vtagent.log.AgentLog;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.UndeclaredThrowableException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Registers the agent's meters in one copy of the application's Micrometer. It waits until the
 * application has added no registry to the global one for some seconds. So the agent is the first
 * to meet a filter that throws, and Micrometer does not warn of a registry that is added to one
 * with meters. Each registry gets every duration since the agent began, whenever it was added. Not
 * thread-safe.
 */
final class RegistryBridge {
    /** The number of updates without a new registry before the meters are registered. */
    private static final int QUIET = 2;

    private final CachedMeterRegistry figures;
    private final Micrometer theirs;
    private final List<Object> registered = new ArrayList<>();
    private final Map<CachedMeter.OfEach, Object> timers = new LinkedHashMap<>();
    private final IdentityHashMap<Object, Map<CachedMeter.OfEach, AppTimer>> leaves =
            new IdentityHashMap<>();
    private Set<Object> seen = Set.of();
    private int quiet;
    private int known;
    private CachedMeter.@Nullable OfEach witness;

    RegistryBridge(CachedMeterRegistry figures, Micrometer theirs) {
        this.figures = figures;
        this.theirs = theirs;
    }

    /** Updates the application's registries. */
    void update() throws ReflectiveOperationException {
        Set<Object> now = theirs.leaves();
        leaves.keySet().retainAll(now);
        quiet = seen.equals(now) ? quiet + 1 : 0;
        seen = now;
        if (now.isEmpty() || (known == 0 && quiet < QUIET)) {
            return;
        }
        if (isCleared()) {
            forget();
        }
        List<CachedMeter> all = figures.all();
        for (; known < all.size(); known++) {
            register(all.get(known));
        }
        VirtualMachineError first = null;
        for (Object leaf : now) {
            VirtualMachineError passing =
                    publish(leaf, leaves.computeIfAbsent(leaf, another -> new HashMap<>()));
            first = first == null ? passing : first;
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Removes all meters from the application's registries.
     *
     * @throws VirtualMachineError if the failure is temporary; a further call removes the rest
     */
    void remove() {
        while (!registered.isEmpty()) {
            Object meter = registered.getLast();
            attempt("cannot be removed from", meter, () -> theirs.remove(meter));
            registered.removeLast();
        }
        forget();
    }

    private void forget() {
        known = 0;
        witness = null;
        registered.clear();
        timers.clear();
        leaves.clear();
    }

    /**
     * Returns whether the application has cleared its registry, as Quarkus does when it reloads
     * changed code.
     */
    private boolean isCleared() throws ReflectiveOperationException {
        return witness != null && theirs.register(witness) != timers.get(witness);
    }

    private void register(CachedMeter figure) {
        attempt(
                "is refused by",
                figure.id(),
                () -> {
                    Object meter = theirs.register(figure);
                    if (Micrometer.isDenied(meter)) {
                        return;
                    }
                    registered.add(meter);
                    if (figure instanceof CachedMeter.OfEach each) {
                        timers.put(each, meter);
                        witness = witness == null ? each : witness;
                    }
                });
    }

    /**
     * @return the failure after which some timers get the rest the next time; null if there was
     *     none
     */
    private @Nullable VirtualMachineError publish(
            Object leaf, Map<CachedMeter.OfEach, AppTimer> appTimers) {
        VirtualMachineError last = null;
        for (Map.Entry<CachedMeter.OfEach, Object> entry : timers.entrySet()) {
            CachedMeter.OfEach figure = entry.getKey();
            try {
                AppTimer each =
                        appTimers.computeIfAbsent(
                                figure, another -> timerIn(leaf, another, entry.getValue()));
                attempt("cannot be published to", figure.id(), () -> each.publish(this::record));
            } catch (VirtualMachineError passing) { // may concern this timer only
                last = passing;
            }
        }
        return last;
    }

    private AppTimer timerIn(Object leaf, CachedMeter.OfEach figure, Object timer) {
        Object[] found = new Object[1];
        attempt(
                "is refused by a registry in",
                figure.id(),
                () -> found[0] = theirs.timerIn(leaf, figure, timer));
        return new AppTimer(figure.timer(), found[0]);
    }

    private void record(Object timer, long nanos) {
        try {
            theirs.record(timer, nanos);
        } catch (ReflectiveOperationException failed) {
            if (causeOf(failed) instanceof VirtualMachineError passing) {
                throw passing;
            }
            throw new UndeclaredThrowableException(failed);
        }
    }

    private interface Attempt {
        void run() throws ReflectiveOperationException;
    }

    /**
     * Runs {@code attempt} and limits a failure of the application's code to the one meter. A
     * {@code VirtualMachineError} is temporary, and is thrown to the caller.
     */
    private static void attempt(String what, Object meter, Attempt attempt) {
        try {
            attempt.run();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError failed) {
            Throwable cause = causeOf(failed);
            if (cause instanceof VirtualMachineError passing) {
                throw passing;
            }
            AgentLog.debug(
                    "the meter " + meter + " " + what + " the application's registry", cause);
        }
    }

    static Throwable causeOf(Throwable failed) {
        Throwable cause = failed.getCause();
        return cause != null
                        && (failed instanceof InvocationTargetException
                                || failed instanceof UndeclaredThrowableException)
                ? causeOf(cause)
                : failed;
    }
}
