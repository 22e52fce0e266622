package io.vtagent.bridge;

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
 * The agent's meters in one copy of the application's Micrometer. They are put into its global registry some seconds after the application
 * has added the last of its registries to that: so the first to hear of a filter that throws is the agent, and Micrometer, which warns
 * of registries that are added to one with meters, has nothing to warn of. Each of the registries is told every duration since the agent
 * began, whenever it was added. Not thread-safe.
 */
final class Mirror {
    /** For how many updates an application must not have added a registry. */
    private static final int QUIET = 2;

    private final Figures figures;
    private final Micrometer theirs;
    private final List<Object> registered = new ArrayList<>();
    private final Map<Figure.OfEach, Object> timers = new LinkedHashMap<>();
    private final IdentityHashMap<Object, Map<Figure.OfEach, AppTimer>> leaves = new IdentityHashMap<>();
    private Set<Object> seen = Set.of();
    private int quiet;
    private int known;
    private Figure.@Nullable OfEach witness;

    Mirror(Figures figures, Micrometer theirs) {
        this.figures = figures;
        this.theirs = theirs;
    }

    /** Brings the application's registries up to date. */
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
        List<Figure> all = figures.all();
        for (; known < all.size(); known++) {
            register(all.get(known));
        }
        VirtualMachineError first = null;
        for (Object leaf : now) {
            VirtualMachineError passing = tell(leaf, leaves.computeIfAbsent(leaf, another -> new HashMap<>()));
            first = first == null ? passing : first;
        }
        if (first != null) {
            throw first;
        }
    }

    /**
     * Takes all meters out again.
     *
     * @throws VirtualMachineError which passes: called again, it takes out the rest
     */
    void remove() {
        while (!registered.isEmpty()) {
            Object meter = registered.getLast();
            attempt("cannot be taken out of", meter, () -> theirs.remove(meter));
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

    /** Whether the application has emptied its registry, as Quarkus does when it loads changed code. */
    private boolean isCleared() throws ReflectiveOperationException {
        return witness != null && theirs.register(witness) != timers.get(witness);
    }

    private void register(Figure figure) {
        attempt("is refused by", figure.id(), () -> {
            Object meter = theirs.register(figure);
            if (Micrometer.isDenied(meter)) {
                return;
            }
            registered.add(meter);
            if (figure instanceof Figure.OfEach each) {
                timers.put(each, meter);
                witness = witness == null ? each : witness;
            }
        });
    }

    /** @return why some of them have to be told the rest the next time, null if that is not so */
    private @Nullable VirtualMachineError tell(Object leaf, Map<Figure.OfEach, AppTimer> told) {
        VirtualMachineError last = null;
        for (Map.Entry<Figure.OfEach, Object> entry : timers.entrySet()) {
            Figure.OfEach figure = entry.getKey();
            try {
                AppTimer each = told.computeIfAbsent(figure, another -> timerIn(leaf, another, entry.getValue()));
                attempt("cannot be told in", figure.id(), () -> each.tell(this::record));
            } catch (VirtualMachineError passing) { // it may be this one's alone
                last = passing;
            }
        }
        return last;
    }

    private AppTimer timerIn(Object leaf, Figure.OfEach figure, Object timer) {
        Object[] found = new Object[1];
        attempt("is refused by a registry in", figure.id(), () -> found[0] = theirs.timerIn(leaf, figure, timer));
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

    /** Whatever the application's code throws costs no more than the one meter. Want of memory passes, and is for the caller. */
    private static void attempt(String what, Object meter, Attempt attempt) {
        try {
            attempt.run();
        } catch (ReflectiveOperationException | RuntimeException | LinkageError failed) {
            Throwable cause = causeOf(failed);
            if (cause instanceof VirtualMachineError passing) {
                throw passing;
            }
            AgentLog.debug("the meter " + meter + " " + what + " the application's registry", cause);
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
