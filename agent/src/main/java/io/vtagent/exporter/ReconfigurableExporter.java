package io.vtagent.exporter;

import io.vtagent.options.AgentOptions;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Holds an exporter, and replaces it when its options change. For the thread that runs all
 * exporters, except {@link #exporter}.
 */
final class ReconfigurableExporter {
    private final Function<AgentOptions, Exporter> maker;
    private final Function<AgentOptions, List<?>> deciding;
    private List<?> decided;
    private volatile Exporter exporter;
    private AgentOptions options;

    /**
     * @param deciding returns the options that the exporter depends on
     */
    ReconfigurableExporter(
            AgentOptions options,
            Function<AgentOptions, Exporter> maker,
            Function<AgentOptions, List<?>> deciding) {
        this.options = options;
        this.maker = maker;
        this.deciding = deciding;
        decided = deciding.apply(options);
        exporter = maker.apply(options);
    }

    Exporter exporter() {
        return exporter;
    }

    /**
     * Replaces the exporter if {@code wanted} differ in its options. The new exporter has not
     * begun.
     *
     * @return why that failed, in which case the previous options apply again; null on success
     */
    @Nullable String become(AgentOptions wanted) throws Exception {
        if (deciding.apply(wanted).equals(decided)) {
            return null;
        }
        AgentOptions before = options;
        replaceBy(wanted);
        String failure = exporter.failure();
        if (failure != null) {
            replaceBy(before);
        }
        return failure;
    }

    /** Ends the current exporter and opens one for {@code wanted}, which has not begun. */
    private void replaceBy(AgentOptions wanted) throws Exception {
        Exporter next = maker.apply(wanted);
        List<?> decidedNext = deciding.apply(wanted);
        Exporter last = exporter;
        exporter = new Exporter() {};
        decided = List.of(exporter); // if this fails here, any later options count as different
        last.end();
        next.open();
        exporter = next;
        options = wanted;
        decided = decidedNext;
    }
}
