package io.vtagent.report;

import io.vtagent.log.PlainText;
import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.function.ToLongFunction;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * Renders the stacks of the sites, weighted by the carrier time that they held, in the collapsed
 * format that flame graph tools read (async-profiler's converter, speedscope). Each site has a
 * line: its frames from the outermost to the innermost, separated by semicolons, then a space and
 * the microseconds. The outermost frame is the kind.
 */
public final class Stacks {
    private static final long NANOS_PER_MICRO = 1_000;
    private static final Pattern SEPARATORS = Pattern.compile("[;\\s]");

    private Stacks() {}

    /** Returns the stacks weighted by all the time that they held. */
    public static String collapsed(PinReport report) {
        return collapsed(report, site -> site.figures().nanos() / NANOS_PER_MICRO);
    }

    /**
     * @param micros returns how long a site held carriers, in microseconds
     */
    public static String collapsed(PinReport report, ToLongFunction<PinReport.Held> micros) {
        StringBuilder text = new StringBuilder();
        for (PinReport.Held site : report.sites()) {
            long weight = micros.applyAsLong(site);
            if (weight > 0) {
                append(text, site.site(), site.stack());
                text.append(' ').append(weight).append('\n');
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, PinSite site, @Nullable PinnedStack stack) {
        text.append('[').append(site.kind().label()).append(']');
        if (stack == null) {
            text.append(';').append(site.site());
            return;
        }
        List<String> frames = stack.frames();
        for (int i = frames.size() - 1; i >= 0; i--) {
            text.append(';').append(name(frames.get(i)));
        }
    }

    /**
     * Returns a frame without its module and file, which make it too wide to read, and without
     * separators.
     */
    private static String name(String text) {
        Frame frame = Frame.of(text);
        String name =
                frame.className().isEmpty()
                        ? frame.method()
                        : frame.className() + "." + frame.method();
        return PlainText.ofName(SEPARATORS.matcher(name + frame.line()).replaceAll("_"));
    }
}
