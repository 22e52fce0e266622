package io.vtagent.cli;

import io.vtagent.report.Quantity;
import java.util.Locale;

/** Durations per unit, for people. */
final class Rate {
    private static final double NANOS_PER_MICRO = 1e3;

    private Rate() {}

    static String of(double nanos) {
        return Math.abs(nanos) >= NANOS_PER_MICRO
                ? (nanos < 0 ? "-" : "") + Quantity.duration(Math.round(Math.abs(nanos)))
                : String.format(Locale.ROOT, "%.0f ns", nanos);
    }

    /** With its sign. */
    static String growth(double nanos) {
        return (nanos > 0 ? "+" : "") + of(nanos);
    }

    /** Growth as a part of what it was; empty where that was nothing. */
    static String share(double share) {
        return Double.isFinite(share) ? String.format(Locale.ROOT, " (%+,.1f %%)", share * 100) : "";
    }
}
