package io.vtagent.cli;

import io.vtagent.record.InProgress;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A site in two reports.
 *
 * @param before null if it is new
 * @param after null if it is gone
 */
record SitePair(@Nullable Held before, @Nullable Held after) {
    private static final PinReport.Figures NOTHING = new PinReport.Figures(0, 0, 0, InProgress.NONE);

    /** What became of it. */
    enum Status {
        SAME,
        /** Its method is the same, the line is another. */
        MOVED,
        NEW,
        GONE
    }

    Status status() {
        if (before == null) {
            return Status.NEW;
        }
        if (after == null) {
            return Status.GONE;
        }
        return before.site().equals(after.site()) ? Status.SAME : Status.MOVED;
    }

    /** As it is called now. */
    Held newest() {
        return after != null ? after : Objects.requireNonNull(before);
    }

    PinReport.Figures figuresBefore() {
        return before == null ? NOTHING : before.figures();
    }

    PinReport.Figures figuresAfter() {
        return after == null ? NOTHING : after.figures();
    }
}
