package io.vtagent.cli;

import io.vtagent.report.HumanFormat;
import java.util.Locale;

/** Formats durations per unit for users. */
final class Rate {
    private static final double NANOS_PER_MICRO = 1e3;

    private Rate() {}

    static String of(double nanos) {
        return Math.abs(nanos) >= NANOS_PER_MICRO
                ? (nanos < 0 ? "-" : "") + HumanFormat.duration(Math.round(Math.abs(nanos)))
                : String.format(Locale.ROOT, "%.0f ns", nanos);
    }

    /** Formats a growth, with its sign. */
    static String growth(double nanos) {
        return (nanos > 0 ? "+" : "") + of(nanos);
    }

    /** Formats a growth as a part of the old rate; empty if the old rate was 0. */
    static String share(double share) {
        return Double.isFinite(share)
                ? String.format(Locale.ROOT, " (%+,.1f %%)", share * 100)
                : "";
    }
}
