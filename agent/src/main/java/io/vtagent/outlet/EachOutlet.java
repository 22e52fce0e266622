package io.vtagent.outlet;

import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Takes all outlets through their lives, each of them whichever of the others fail. For one thread at a time. */
final class EachOutlet {
    private final Set<Outlet> begun = new HashSet<>();
    private final Set<Outlet> rehearsed = new HashSet<>();

    private interface Step {
        void of(Outlet outlet) throws Exception;
    }

    /**
     * Has those begin that have not. Of those that are not in {@code all} it knows nothing any more.
     *
     * @return why one of them did not begin, which may do so the next time; null if all have begun
     */
    @Nullable
    Throwable begin(List<Outlet> all) {
        if (begun.size() == all.size() && begun.containsAll(all)) { // as nearly always
            return null;
        }
        begun.retainAll(all);
        rehearsed.retainAll(all);
        List<Outlet> toBegin = new ArrayList<>(all);
        toBegin.removeAll(begun);
        return each(toBegin, this::begin, EachOutlet::say);
    }

    private void begin(Outlet outlet) throws Exception {
        begun.add(outlet); // first, since that needs memory
        boolean hasBegun = false;
        try {
            outlet.begin();
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                begun.remove(outlet);
            }
        }
    }

    static void tell(List<Outlet> outlets, PinReport report) {
        Throwable unused = each(outlets, outlet -> outlet.tell(report), EachOutlet::say);
    }

    static void rest(List<Outlet> outlets) {
        Throwable unused = each(outlets, Outlet::rest, EachOutlet::say);
    }

    /** Has those rehearse with made up ones of {@code measurements} that have begun and not done so: once, whatever comes of it. */
    void rehearse(Measurements measurements) {
        if (rehearsed.containsAll(begun)) {
            return;
        }
        List<Outlet> toRehearse = new ArrayList<>(begun);
        toRehearse.removeAll(rehearsed);
        Measurements madeUp = measurements.madeUp();
        rehearsed.addAll(toRehearse);
        Throwable unused = each(toRehearse, outlet -> outlet.rehearse(madeUp), EachOutlet::say);
        AgentLog.debug("each page was made once");
    }

    static void tellLast(List<Outlet> outlets, PinReport last) {
        Throwable unused = each(outlets, outlet -> outlet.tellLast(last), EachOutlet::say);
    }

    static void end(List<Outlet> outlets) {
        Throwable unused = each(outlets, Outlet::end, EachOutlet::sayNotEnded);
    }

    /** @return the first failure */
    private static @Nullable Throwable each(List<Outlet> outlets, Step step, Consumer<Throwable> failed) {
        Throwable first = null;
        for (Outlet outlet : outlets) {
            try {
                step.of(outlet);
            } catch (Throwable failure) {
                first = first == null ? failure : first;
                say(failure, failed);
            }
        }
        return first;
    }

    /** Says that something did not work that will be tried again. */
    static void say(Throwable passing) {
        say(passing, failure -> AgentLog.debug("cannot collect", failure));
    }

    private static void sayNotEnded(Throwable failure) {
        AgentLog.error("an outlet could not be ended: " + failure);
    }

    private static void say(Throwable failure, Consumer<Throwable> how) {
        try {
            how.accept(failure);
        } catch (Throwable noMemory) {
            // nor to say so
        }
    }
}
