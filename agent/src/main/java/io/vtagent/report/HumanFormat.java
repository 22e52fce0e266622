package io.vtagent.report;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.DurationCounts;
import java.util.Locale;
import java.util.StringJoiner;

/** Formats numbers for people. */
public final class HumanFormat {
    private static final double NANOS_PER_SECOND = 1e9;
    private static final double NANOS_PER_MILLI = 1e6;
    private static final double NANOS_PER_MICRO = 1e3;

    /** Less than this is not worth a word: threads wait for a moment even if all is well. */
    static final long MIN_WAITED_NANOS = 1_000_000;

    /** From this number of seconds on, one decimal is enough. */
    private static final long SHORT_SECONDS = 100;

    /** The first number with a comma between its digits. */
    private static final long MIN_GROUPED = 1_000;

    private HumanFormat() {}

    /**
     * Returns a duration in the unit that keeps it short: {@code 12.30 s}, {@code 4.5 ms}, {@code 7
     * us}.
     */
    public static String duration(long nanos) {
        if (nanos >= SHORT_SECONDS * NANOS_PER_SECOND) {
            return String.format(Locale.ROOT, "%,.1f s", nanos / NANOS_PER_SECOND);
        }
        if (nanos >= NANOS_PER_SECOND) {
            return String.format(Locale.ROOT, "%,.2f s", nanos / NANOS_PER_SECOND);
        }
        if (nanos >= NANOS_PER_MILLI) {
            return String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI);
        }
        return Math.round(nanos / NANOS_PER_MICRO) + " us"; // loads no formatter
    }

    /** Returns {@link #duration(long)}, with a {@code ~} if it is estimated. */
    public static String duration(long nanos, boolean estimated) {
        return (estimated ? "~" : "") + duration(nanos);
    }

    /** Returns what relief did, as a clause. */
    static String relieved(PinReport.Relieved relieved) {
        return String.format(
                Locale.ROOT,
                "relief compensated %s of it (%s) and added %,d %s",
                duration(relieved.nanos()),
                pins(relieved.pins()),
                relieved.carriers(),
                relieved.carriers() == 1 ? "carrier" : "carriers");
    }

    /**
     * Returns how long a virtual thread waited for a carrier, as a clause; empty if that was not
     * measured.
     */
    public static String delayed(PinReport.Delayed delayed) {
        if (delayed.count() == 0 && delayed.currentNanos() == 0) {
            return "";
        }
        String soFar = duration(delayed.currentNanos());
        if (delayed.count() == 0) {
            return "a virtual thread has been waiting for a carrier for " + soFar;
        }
        return "a virtual thread waited "
                + duration(delayed.nanos() / delayed.count())
                + " on average, "
                + duration(delayed.longestNanos())
                + " at most, for a carrier"
                + String.format(
                        Locale.ROOT,
                        delayed.count() == 1 ? " (%,d probe)" : " (%,d probes)",
                        delayed.count())
                + (delayed.currentNanos() == 0 ? "" : ", and one has been waiting for " + soFar);
    }

    /** Returns where the carriers' time went, as a clause; empty if that is not known. */
    static String carriers(PinReport.CarrierTime time) {
        double all =
                (double) time.heldNanos()
                        + time.runningNanos()
                        + time.runnableNanos()
                        + time.idleNanos();
        return all == 0
                ? ""
                : String.format(
                        Locale.ROOT,
                        "the carriers' time: %.1f %% held, %.1f %% running, %.1f %% runnable"
                                + " without a CPU, %.1f %% idle",
                        100 * time.heldNanos() / all,
                        100 * time.runningNanos() / all,
                        100 * time.runnableNanos() / all,
                        100 * time.idleNanos() / all);
    }

    /** Returns how long threads waited for carriers, as a clause; empty if it was not long. */
    static String waited(PinReport.CarrierTime time) {
        if (time.waitedHeldNanos() + time.waitedBusyNanos() < MIN_WAITED_NANOS) {
            return "";
        }
        return "virtual threads that were ready waited "
                + duration(time.waitedHeldNanos())
                + " for held carriers and "
                + duration(time.waitedBusyNanos())
                + " for busy ones";
    }

    /**
     * Returns {@code 3 pins, 1.50 s, longest 900.0 ms}, and how much of that is in progress. If no
     * two samples have hit the same pin, the longest is not known.
     */
    static String figures(PinReport.Figures figures) {
        ActivePinTotals pins = figures.inProgress();
        return pins(figures.count())
                + ", "
                + duration(figures.nanos(), figures.isEstimated())
                + (pins.count() == 0
                        ? ""
                        : " ("
                                + duration(pins.nanos())
                                + " by "
                                + pins(pins.count())
                                + " in progress)")
                + longest(figures.longestNanos());
    }

    /** Returns {@code , longest 900.0 ms}; empty for 0, which is not known. */
    public static String longest(long nanos) {
        return nanos == 0 ? "" : ", longest " + duration(nanos);
    }

    /**
     * Returns how the durations of the pins that have ended are distributed: {@code durations: 12
     * of 1-2 ms, 340 of 2-5 ms}. Empty if fewer than two have ended, of which the other figures are
     * all there is to report.
     */
    public static String durations(PinReport.Figures figures) {
        DurationCounts counts = figures.durations();
        if (counts.count() < 2) {
            return "";
        }
        StringJoiner ranges = new StringJoiner(", ");
        for (int bucket = 0; bucket < counts.buckets(); bucket++) {
            if (counts.count(bucket) > 0) {
                ranges.add(
                        String.format(Locale.ROOT, "%,d ", counts.count(bucket))
                                + range(bucket, figures.isEstimated() ? "~" : ""));
            }
        }
        return "durations: " + ranges;
    }

    /** Returns the durations of a bucket of {@link Buckets#COARSE}: {@code of 200-500 ms}. */
    private static String range(int bucket, String mark) {
        long[] bounds = Buckets.coarseBoundsNanos();
        if (bucket == 0) {
            return "under " + mark + bound(bounds[0]);
        }
        String from = mark + bound(bounds[bucket - 1]);
        if (bucket == bounds.length) {
            return "of " + from + " or more";
        }
        String to = bound(bounds[bucket]);
        String unit = to.substring(to.indexOf(' '));
        return "of " + (from.endsWith(unit) ? from.replace(unit, "") : from) + "-" + to;
    }

    /** Returns a whole number of its unit. */
    private static String bound(long nanos) {
        if (nanos >= NANOS_PER_SECOND) {
            return Math.round(nanos / NANOS_PER_SECOND) + " s";
        }
        return nanos >= NANOS_PER_MILLI
                ? Math.round(nanos / NANOS_PER_MILLI) + " ms"
                : Math.round(nanos / NANOS_PER_MICRO) + " us";
    }

    /** Returns {@code 2 pins in progress, the oldest for 3.00 s}. */
    public static String inProgress(ActivePinTotals pins) {
        return pins(pins.count()) + " in progress, the oldest for " + duration(pins.longestNanos());
    }

    /** Returns {@code 1 pin}, {@code 1,234 pins}. */
    public static String pins(long count) {
        return (count < MIN_GROUPED
                        ? Long.toString(count)
                        : String.format(Locale.ROOT, "%,d", count))
                + (count == 1 ? " pin" : " pins");
    }
}
