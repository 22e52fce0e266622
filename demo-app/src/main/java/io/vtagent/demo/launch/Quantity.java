package io.vtagent.demo.launch;

import java.math.BigDecimal;
import java.math.MathContext;
import java.math.RoundingMode;
import java.util.Locale;

/** Puts numbers into words. */
final class Quantity {

    private static final MathContext TWO_DIGITS = new MathContext(2, RoundingMode.HALF_UP);

    private Quantity() {}

    /** With as many digits as mean something: all before the point, and two in all. */
    static String text(double value) {
        if (value == 0) {
            return "0";
        }
        return Math.abs(value) >= 10
                ? String.format(Locale.ROOT, "%,.0f", value)
                : new BigDecimal(value).round(TWO_DIGITS).stripTrailingZeros().toPlainString();
    }

    static String count(long count) {
        return String.format(Locale.ROOT, "%,d", count);
    }

    /** Seconds, or milliseconds where seconds would show next to nothing. */
    static String duration(double seconds) {
        if (seconds == 0) {
            return "0 s";
        }
        if (seconds < 0.000_05) {
            return "< 0.1 ms";
        }
        return seconds < 0.1
                ? String.format(Locale.ROOT, "%.1f ms", seconds * 1e3)
                : String.format(Locale.ROOT, "%,.2f s", seconds);
    }
}
