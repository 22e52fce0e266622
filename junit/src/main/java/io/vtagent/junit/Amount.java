package io.vtagent.junit;

import java.math.BigDecimal;
import java.time.Duration;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Parses and formats durations. */
final class Amount {
    private static final Pattern FORM = Pattern.compile("(\\d{1,9}(?:\\.\\d{1,9})?) ?(ns|us|ms|s)");
    private static final long NANOS_PER_MICRO = 1_000;
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long NANOS_PER_SECOND = 1_000_000_000;

    private Amount() {}

    /**
     * @throws IllegalArgumentException if {@code text} is not a duration
     */
    static Duration parse(String text) {
        Matcher matcher = FORM.matcher(text.trim());
        if (!matcher.matches()) {
            throw new IllegalArgumentException(
                    "duration is \""
                            + text
                            + "\", expected a number and ns, us, ms or s, such as 5ms");
        }
        long unit =
                switch (matcher.group(2)) {
                    case "ns" -> 1;
                    case "us" -> NANOS_PER_MICRO;
                    case "ms" -> NANOS_PER_MILLI;
                    default -> NANOS_PER_SECOND;
                };
        return Duration.ofNanos(
                new BigDecimal(matcher.group(1)).multiply(BigDecimal.valueOf(unit)).longValue());
    }

    static String of(Duration duration) {
        double nanos = duration.toNanos();
        if (nanos < NANOS_PER_MILLI) {
            return String.format(Locale.ROOT, "%.0f us", nanos / NANOS_PER_MICRO);
        }
        return nanos < NANOS_PER_SECOND
                ? String.format(Locale.ROOT, "%.1f ms", nanos / NANOS_PER_MILLI)
                : String.format(Locale.ROOT, "%.2f s", nanos / NANOS_PER_SECOND);
    }
}
