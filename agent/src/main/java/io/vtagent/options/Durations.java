package io.vtagent.options;

/** Durations such as {@code 500us}, {@code 1ms}, {@code 2s}; the number may stand alone if it is 0. */
public final class Durations {
    private Durations() {}

    /** The duration in nanoseconds, or -1 if {@code text} is none or does not fit. */
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
