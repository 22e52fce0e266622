package io.vtagent.outlet;

import io.vtagent.options.AgentOptions;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/** An outlet as the options want it, which may change. For the thread of all outlets, but for {@link #outlet}. */
final class Chosen {
    private final Function<AgentOptions, Outlet> maker;
    private final Function<AgentOptions, List<?>> deciding;
    private List<?> decided;
    private volatile Outlet outlet;
    private AgentOptions options;

    /** @param deciding gives the options that it depends on */
    Chosen(AgentOptions options, Function<AgentOptions, Outlet> maker, Function<AgentOptions, List<?>> deciding) {
        this.options = options;
        this.maker = maker;
        this.deciding = deciding;
        decided = deciding.apply(options);
        outlet = maker.apply(options);
    }

    Outlet outlet() {
        return outlet;
    }

    /**
     * Replaces the outlet if {@code wanted} have it otherwise, by one that is yet to begin.
     *
     * @return why that cannot be, and then it is as before; null if it can
     */
    @Nullable
    String become(AgentOptions wanted) throws Exception {
        if (deciding.apply(wanted).equals(decided)) {
            return null;
        }
        AgentOptions before = options;
        replaceBy(wanted);
        String failure = outlet.failure();
        if (failure != null) {
            replaceBy(before);
        }
        return failure;
    }

    /** The new one is yet to begin. */
    private void replaceBy(AgentOptions wanted) throws Exception {
        Outlet next = maker.apply(wanted);
        List<?> decidedNext = deciding.apply(wanted);
        Outlet last = outlet;
        outlet = new Outlet() {};
        decided = List.of(outlet); // were this to fail here, whatever is wanted next is another one
        last.end();
        next.open();
        outlet = next;
        options = wanted;
        decided = decidedNext;
    }
}
