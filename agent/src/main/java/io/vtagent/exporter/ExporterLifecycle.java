package io.vtagent.exporter;

import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Calls the lifecycle methods of all exporters. A failure of one does not affect the others. For
 * one thread at a time.
 */
final class ExporterLifecycle {
    private final Set<Exporter> begun = new HashSet<>();
    private final Set<Exporter> warmedUp = new HashSet<>();

    private interface Step {
        void of(Exporter exporter) throws Exception;
    }

    /**
     * Begins the exporters that have not begun, and forgets those that are not in {@code all}.
     *
     * @return why an exporter did not begin, which the next call retries; null if all have begun
     */
    @Nullable Throwable begin(List<Exporter> all) {
        if (begun.size() == all.size() && begun.containsAll(all)) { // the usual case
            return null;
        }
        begun.retainAll(all);
        warmedUp.retainAll(all);
        List<Exporter> toBegin = new ArrayList<>(all);
        toBegin.removeAll(begun);
        return each(toBegin, this::begin, ExporterLifecycle::logFailure);
    }

    private void begin(Exporter exporter) throws Exception {
        begun.add(exporter); // first, because this allocates
        boolean hasBegun = false;
        try {
            exporter.begin();
            hasBegun = true;
        } finally {
            if (!hasBegun) {
                begun.remove(exporter);
            }
        }
    }

    static void publish(List<Exporter> exporters, PinReport report) {
        Throwable unused =
                each(
                        exporters,
                        exporter -> exporter.publish(report),
                        ExporterLifecycle::logFailure);
    }

    static void onIdle(List<Exporter> exporters) {
        Throwable unused = each(exporters, Exporter::onIdle, ExporterLifecycle::logFailure);
    }

    /**
     * Warms up the exporters that have begun, with synthetic data in place of {@code measurements}.
     * Each exporter warms up once, even if that fails.
     */
    void warmUp(MeasurementSource measurements) {
        if (warmedUp.containsAll(begun)) {
            return;
        }
        List<Exporter> toWarmUp = new ArrayList<>(begun);
        toWarmUp.removeAll(warmedUp);
        MeasurementSource synthetic = measurements.synthetic();
        warmedUp.addAll(toWarmUp);
        Throwable unused =
                each(
                        toWarmUp,
                        exporter -> exporter.warmUp(synthetic),
                        ExporterLifecycle::logFailure);
        AgentLog.debug("each page was made once");
    }

    static void publishLast(List<Exporter> exporters, PinReport last) {
        Throwable unused =
                each(
                        exporters,
                        exporter -> exporter.publishLast(last),
                        ExporterLifecycle::logFailure);
    }

    static void end(List<Exporter> exporters) {
        Throwable unused = each(exporters, Exporter::end, ExporterLifecycle::logNotEnded);
    }

    /**
     * @return the first failure; null if there was none
     */
    private static @Nullable Throwable each(
            List<Exporter> exporters, Step step, Consumer<Throwable> failed) {
        Throwable first = null;
        for (Exporter exporter : exporters) {
            try {
                step.of(exporter);
            } catch (Throwable failure) {
                first = first == null ? failure : first;
                logFailure(failure, failed);
            }
        }
        return first;
    }

    /** Logs a failure that will be retried. */
    static void logFailure(Throwable passing) {
        logFailure(passing, failure -> AgentLog.debug("cannot collect", failure));
    }

    private static void logNotEnded(Throwable failure) {
        AgentLog.error("could not stop an exporter: " + failure);
    }

    private static void logFailure(Throwable failure, Consumer<Throwable> how) {
        try {
            how.accept(failure);
        } catch (Throwable noMemory) {
            // cannot be logged either
        }
    }
}
