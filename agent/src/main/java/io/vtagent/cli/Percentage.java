package io.vtagent.cli;

import java.util.Locale;
import java.util.regex.Pattern;

/** Converts between {@code 1%} for users and 0.01 for programs. */
final class Percentage {
    private static final Pattern FORM = Pattern.compile("[0-9]{1,6}(\\.[0-9]{1,6})?%");
    private static final double WHOLE = 100;

    private Percentage() {}

    /**
     * Parses a percentage.
     *
     * @return a negative number if {@code text} is no percentage
     */
    static double parse(String text) {
        return FORM.matcher(text).matches()
                ? Double.parseDouble(text.substring(0, text.length() - 1)) / WHOLE
                : -1;
    }

    static String of(double part) {
        double percent = part * WHOLE;
        if (percent == 0) {
            return "0 %";
        }
        if (percent > 0 && percent < 0.01) {
            return "<0.01 %";
        }
        return String.format(Locale.ROOT, percent < 1 ? "%.2f %%" : "%,.1f %%", percent);
    }
}
