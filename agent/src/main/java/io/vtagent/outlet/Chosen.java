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
     * Replaces the outlet if {@code wanted} have it otherwise.
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

    private void replaceBy(AgentOptions wanted) throws Exception {
        outlet.end();
        Outlet next = maker.apply(wanted);
        next.open();
        outlet = next;
        options = wanted;
        decided = deciding.apply(wanted);
        next.begin();
    }
}
