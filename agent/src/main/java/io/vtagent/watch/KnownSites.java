package io.vtagent.watch;

import io.vtagent.record.Ledger;
import io.vtagent.record.PinKind;
import io.vtagent.record.Site;
import io.vtagent.vm.FramesOfInterest;
import io.vtagent.vm.PinnedStack;
import io.vtagent.vm.SnapshotStack;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Recognises the site of a pin by its thread's stack as it is seen from outside, which does not tell which frame holds a monitor: a thread
 * that was pinned there before has told that. Thread-safe.
 */
final class KnownSites {
    /**
     * Where threads begin, of which walks tell more or fewer frames, and where they block: there a hook is told in other lines than those
     * where the thread is seen later.
     */
    private static final List<String> ENDS = List.of("java.base/java.lang.", "java.base/jdk.internal.");

    /** Frames that a walk leaves out that asks for monitors. */
    private static final List<String> REFLECTIVE =
            List.of("java.base/java.lang.reflect.", "java.base/jdk.internal.reflect.", "java.base/java.lang.invoke.");

    private final Ledger ledger;
    private final FramesOfInterest wanted;

    KnownSites(Ledger ledger, FramesOfInterest wanted) {
        this.ledger = ledger;
        this.wanted = wanted;
    }

    /** The site of that kind whose stack is the same, but for how it blocks; null if there is none, or more than one. */
    @Nullable
    Site siteOf(PinKind kind, List<StackTraceElement> stack) {
        List<String> frames = SnapshotStack.heldByCall(stack, wanted).frames();
        boolean isCut = frames.size() == wanted.kept();
        List<String> between = between(frames);
        Site found = null;
        for (Site site : ledger.sites()) {
            PinnedStack known = site.stack();
            if (known == null || known.holderIndex() < 0 || site.key().kind() != kind) {
                continue; // a holder that lies deeper is not compared
            }
            if (isSame(known.frames(), between, isCut)) {
                if (found != null) {
                    return null;
                }
                found = site;
            }
        }
        return found;
    }

    private boolean isSame(List<String> knownFrames, List<String> seen, boolean isSeenCut) {
        List<String> known = between(knownFrames);
        int common = Math.min(known.size(), seen.size());
        boolean isShorterCut = known.size() < seen.size() ? knownFrames.size() == wanted.kept() : isSeenCut;
        return common > 0
                && (isShorterCut || known.size() == seen.size())
                && known.subList(0, common).equals(seen.subList(0, common));
    }

    private static List<String> between(List<String> all) {
        List<String> frames = all.stream()
                .filter(frame -> REFLECTIVE.stream().noneMatch(frame::startsWith))
                .toList();
        int first = 0;
        int end = frames.size();
        while (first < end && isEnd(frames.get(first))) {
            first++;
        }
        while (first < end && isEnd(frames.get(end - 1))) {
            end--;
        }
        return frames.subList(first, end);
    }

    private static boolean isEnd(String frame) {
        return ENDS.stream().anyMatch(frame::startsWith);
    }
}
