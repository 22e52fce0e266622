package io.vtagent.cli;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * A site in two reports.
 *
 * @param before null if the site is new
 * @param after null if the site is gone
 */
record SitePair(@Nullable Held before, @Nullable Held after) {
    private static final PinReport.Figures NOTHING =
            new PinReport.Figures(0, 0, 0, ActivePinTotals.NONE);

    /** The change of a site from the old report to the new one. */
    enum Status {
        SAME,
        /** In the same method, but on another line. */
        MOVED,
        NEW,
        GONE;

        /** Returns the status of a pair; {@code same} counts if there are both. */
        static Status of(@Nullable Object before, @Nullable Object after, boolean same) {
            if (before == null) {
                return NEW;
            }
            if (after == null) {
                return GONE;
            }
            return same ? SAME : MOVED;
        }

        /** Returns the name in a table, where most sites are the same. */
        String inTable() {
            return this == SAME ? "" : label();
        }

        String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    Status status() {
        return Status.of(
                before,
                after,
                before != null && after != null && before.site().equals(after.site()));
    }

    /** Returns the entry with the newest name of the site. */
    Held newest() {
        return after != null ? after : Objects.requireNonNull(before);
    }

    long waitedBeforeNanos() {
        return before == null ? 0 : before.waitedNanos();
    }

    long waitedAfterNanos() {
        return after == null ? 0 : after.waitedNanos();
    }

    PinReport.Figures figuresBefore() {
        return before == null ? NOTHING : before.figures();
    }

    PinReport.Figures figuresAfter() {
        return after == null ? NOTHING : after.figures();
    }
}
