package io.vtagent.cli;

import io.vtagent.report.PinReport.Held;
import java.util.Comparator;
import java.util.Locale;

/** The order of the sites: by one of their figures, the largest first. */
enum Sort {
    NOW,
    WAITING,
    HELD,
    COUNT,
    LONGEST;

    Sort next() {
        return values()[(ordinal() + 1) % values().length];
    }

    String label() {
        return name().toLowerCase(Locale.ROOT);
    }

    Comparator<Held> order(Interval interval) {
        Comparator<Held> byHeld = Comparator.comparingLong(held -> -held.figures().nanos());
        return switch (this) {
            case NOW ->
                    Comparator.<Held>comparingDouble(held -> -interval.carriersHeld(held.site()))
                            .thenComparing(byHeld);
            case WAITING ->
                    Comparator.<Held>comparingLong(held -> -held.waitedNanos())
                            .thenComparing(byHeld);
            case HELD -> byHeld;
            case COUNT ->
                    Comparator.<Held>comparingLong(held -> -held.figures().count())
                            .thenComparing(byHeld);
            case LONGEST ->
                    Comparator.<Held>comparingLong(held -> -held.figures().longestNanos())
                            .thenComparing(byHeld);
        };
    }
}
