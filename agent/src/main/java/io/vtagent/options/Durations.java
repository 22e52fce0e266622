package io.vtagent.options;

/**
 * Parses durations such as {@code 500us}, {@code 1ms} and {@code 2s}. Only the number 0 needs no
 * unit.
 */
public final class Durations {
    private Durations() {}

    /** Returns the nanoseconds, or -1 if {@code text} is not a duration or does not fit. */
    public static long parse(String text) {
        int digits = 0;
        while (digits < text.length() && Character.digit(text.charAt(digits), 10) >= 0) {
            digits++;
        }
        try {
            long number = Long.parseLong(text.substring(0, digits));
            return Math.multiplyExact(number, nanosOf(text.substring(digits).strip(), number));
        } catch (NumberFormatException | ArithmeticException notADuration) {
            return -1;
        }
    }

    private static long nanosOf(String unit, long number) {
        return switch (unit) {
            case "ns" -> 1;
            case "us" -> 1_000;
            case "ms" -> 1_000_000;
            case "s" -> 1_000_000_000;
            case "m" -> 60_000_000_000L;
            case "h" -> 3_600_000_000_000L;
            case "" -> {
                if (number == 0) {
                    yield 1;
                }
                throw new NumberFormatException("no unit");
            }
            default -> throw new NumberFormatException(unit);
        };
    }
}
