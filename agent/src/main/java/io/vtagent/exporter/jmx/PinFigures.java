package io.vtagent.exporter.jmx;

import io.vtagent.log.PlainText;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport.Held;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * One pin, as the MXBean returns it: {@code CompositeData} with an item for each component. Unknown
 * values are empty texts or 0.
 *
 * @param thread the name of the virtual thread
 * @param test what {@code begin()} returned on the thread that this one descends from, as far as
 *     that is known
 * @param monitor the class of the monitor that is held or waited for
 * @param nativeFrame the frame that holds the carrier where monitors do not pin
 * @param beganNanos since the test began; negative if it was before
 * @param inProgress whether it has not ended
 * @param stack the innermost frame first; that of the site's first pin if this one's own is not
 *     known. Frames that hold something are marked at their end
 */
public record PinFigures(
        String thread,
        long threadId,
        long test,
        String kind,
        String reason,
        boolean compensated,
        String caller,
        String site,
        String operation,
        String monitor,
        String nativeFrame,
        String advice,
        long beganNanos,
        long heldNanos,
        boolean inProgress,
        List<String> stack) {

    /** The thread and the test of a pin. */
    record Who(String thread, long threadId, long test) {}

    /** The time of a pin, since the beginning of a test. */
    record When(long beganNanos, long heldNanos, boolean inProgress) {}

    /**
     * @param frames its own, if they are known
     */
    static PinFigures of(
            Who who,
            PinKind kind,
            PinReason reason,
            boolean compensated,
            PinSite site,
            When when,
            @Nullable Held held,
            List<String> frames) {
        PinnedStack first = held == null ? null : held.stack();
        return new PinFigures(
                PlainText.ofName(who.thread),
                who.threadId,
                who.test,
                kind.label(),
                reason.label(),
                compensated,
                site.caller(),
                site.site(),
                site.operation(),
                orEmpty(first == null ? null : first.monitorClass()),
                orEmpty(first == null ? null : first.nativeFrame()),
                held == null ? "" : held.advice(),
                when.beganNanos,
                when.heldNanos,
                when.inProgress,
                stack(first, frames));
    }

    private static String orEmpty(@Nullable String text) {
        return text == null ? "" : text;
    }

    private static List<String> stack(@Nullable PinnedStack first, List<String> frames) {
        if (first == null) {
            return frames;
        }
        if (frames.isEmpty()) {
            return IntStream.range(0, first.frames().size())
                    .mapToObj(i -> first.frames().get(i) + first.mark(i))
                    .toList();
        }
        String holder = first.holderIndex() < 0 ? "" : first.frames().get(first.holderIndex());
        return frames.stream()
                .map(
                        frame ->
                                marked(
                                        frame,
                                        frame.equals(holder)
                                                ? first.mark(first.holderIndex())
                                                : first.markOfMonitors(frame)))
                .toList();
    }

    private static String marked(String frame, String mark) {
        return mark.isEmpty() ? frame : frame + mark;
    }
}
