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
     * Where threads begin and where they block. Of the ones not every walk tells all frames, of the others a hook is told in other lines than
     * those where the thread is seen later.
     */
    private static final List<String> ENDS = List.of("java.base/java.lang.", "java.base/jdk.internal.");

    /** Of these a walk that asks for monitors is told nothing. */
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
        Site found = null;
        for (Site site : ledger.sites()) {
            PinnedStack known = site.stack();
            if (known == null || known.holderIndex() < 0 || site.key().kind() != kind) {
                continue; // a holder that lies deeper is not compared
            }
            if (isSame(known.frames(), frames)) {
                if (found != null) {
                    return null;
                }
                found = site;
            }
        }
        return found;
    }

    private boolean isSame(List<String> known, List<String> seen) {
        List<String> betweenKnown = between(known);
        List<String> betweenSeen = between(seen);
        int common = Math.min(betweenKnown.size(), betweenSeen.size());
        boolean cut = (betweenKnown.size() < betweenSeen.size() ? known : seen).size() == wanted.kept();
        return common > 0
                && (cut || betweenKnown.size() == betweenSeen.size())
                && betweenKnown.subList(0, common).equals(betweenSeen.subList(0, common));
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
