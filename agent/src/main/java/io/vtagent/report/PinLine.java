package io.vtagent.report;

import io.vtagent.log.PlainText;
import io.vtagent.pin.PinKey;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Site;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/** One pin as one line of text, with its folded stack, the innermost frame first. */
public final class PinLine {
    private static final String BETWEEN_FRAMES = " < ";

    private PinLine() {}

    /**
     * Returns the line, without a line break.
     *
     * @param site the site of the pin, or null if it is not known
     * @param thread the name of the virtual thread, or null if it is not known
     * @param threadId the id of the virtual thread, or 0 if it is not known
     * @param context what the thread's diagnostic context has, or an empty text
     * @param app prefixes of the user's own packages, as in {@link TextReport.Style}
     */
    public static String of(
            PinKey key,
            long nanos,
            boolean inProgress,
            @Nullable Site site,
            @Nullable String thread,
            long threadId,
            String context,
            List<String> app) {
        PinSite where = site == null ? PinSite.unattributed(key.kind()) : site.key();
        PinnedStack stack = site == null ? null : site.stack();
        StringBuilder text = new StringBuilder("pin of ");
        text.append(HumanFormat.duration(nanos)).append(inProgress ? " so far" : "");
        text.append(", ").append(key.kind().label()).append(", ").append(key.reason().label());
        text.append(key.compensated() ? ", compensated" : "");
        text.append(": ").append(where.caller());
        text.append(where.caller().equals(where.site()) ? "" : ", in " + where.site());
        text.append(stack == null ? "" : ", blocked in " + where.operation());
        text.append(thread(thread, threadId));
        text.append(context.isEmpty() ? "" : ", " + PlainText.ofName(context));
        if (stack != null) {
            text.append("; ").append(folded(where, stack, app));
        }
        return text.toString();
    }

    private static String thread(@Nullable String name, long id) {
        if (id == 0) {
            return "";
        }
        return ", thread "
                + (name == null || name.isEmpty() ? "" : "\"" + PlainText.ofName(name) + "\" ")
                + "#"
                + id;
    }

    private static String folded(PinSite site, PinnedStack stack, List<String> app) {
        StringBuilder lines = new StringBuilder();
        new Folding(app).append(lines, site, stack);
        return lines.toString()
                .lines()
                .map(line -> line.strip().replaceFirst("^(=> )?" + Folding.AT, "$1"))
                .collect(Collectors.joining(BETWEEN_FRAMES));
    }
}
