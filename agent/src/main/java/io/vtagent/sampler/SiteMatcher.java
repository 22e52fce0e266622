package io.vtagent.sampler;

import io.vtagent.ledger.Ledger;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.Site;
import io.vtagent.site.PinnedStack;
import io.vtagent.site.SnapshotStack;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Recognizes the site of a pin by the sampled stack of its thread. Such a stack does not show which
 * frame holds a monitor; an earlier pin at the same place, recorded by a hook, does. Thread-safe by
 * one lock.
 */
final class SiteMatcher {
    /**
     * The frames at both ends of a stack, which are not compared. Where threads begin, stack walks
     * return more or fewer frames than samples. Where threads block, hooks record other lines than
     * those that are sampled later.
     */
    private static final List<String> ENDS =
            List.of("java.base/java.lang.", "java.base/jdk.internal.");

    /** Frames that a stack walk with monitors leaves out. */
    private static final List<String> REFLECTIVE =
            List.of(
                    "java.base/java.lang.reflect.",
                    "java.base/jdk.internal.reflect.",
                    "java.base/java.lang.invoke.");

    private final Ledger ledger;

    /** The sites in {@link #byHash}. */
    private final Set<Site> indexed = Collections.newSetFromMap(new IdentityHashMap<>());

    private final Map<Integer, List<Known>> byHash = new HashMap<>();

    SiteMatcher(Ledger ledger) {
        this.ledger = ledger;
    }

    /**
     * Returns the site of that kind, as of the last {@link #refresh}, whose stack is the same
     * except for how it blocks; null if there is none, or more than one.
     */
    @Nullable
    synchronized Site siteOf(PinKind kind, List<StackTraceElement> stack) {
        List<String> frames = SnapshotStack.heldByCall(stack, ledger.frames()).frames();
        List<String> between = between(frames);
        boolean isCut = frames.size() == ledger.frames().kept();
        Site found = null;
        for (Known known : byHash.getOrDefault(hash(between), List.of())) {
            if (known.site.key().kind() == kind && known.isSame(between, isCut)) {
                if (found != null) {
                    return null;
                }
                found = known.site;
            }
        }
        return found;
    }

    /** Adds the sites that are new since the last call. */
    synchronized void refresh() {
        for (Site site : ledger.sites()) {
            PinnedStack stack = site.stack();
            // a site is not compared if its holder lies deeper than the frames that are kept
            if (stack != null && stack.holderIndex() >= 0 && indexed.add(site)) {
                List<String> frames = between(stack.frames());
                boolean isCut = stack.frames().size() == ledger.frames().kept();
                byHash.computeIfAbsent(hash(frames), added -> new ArrayList<>())
                        .add(new Known(site, frames, isCut));
            }
        }
    }

    /**
     * Returns a hash of a number of frames that every compared stack has, even one that is cut off.
     */
    private int hash(List<String> between) {
        int compared = Math.max(1, ledger.frames().kept() / 4);
        return between.subList(0, Math.min(compared, between.size())).hashCode();
    }

    /**
     * A site with the compared frames of its stack, which never change.
     *
     * @param isCut whether the stack has more frames than are kept
     */
    private record Known(Site site, List<String> frames, boolean isCut) {
        boolean isSame(List<String> sampled, boolean isSampledCut) {
            int common = Math.min(frames.size(), sampled.size());
            boolean isShorterCut = frames.size() < sampled.size() ? isCut : isSampledCut;
            return common > 0
                    && (isShorterCut || frames.size() == sampled.size())
                    && frames.subList(0, common).equals(sampled.subList(0, common));
        }
    }

    private static List<String> between(List<String> all) {
        List<String> frames =
                all.stream()
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
