package io.vtagent.watch;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Why nothing moves, at the moment when it was asked.
 *
 * @param verdict in one sentence
 * @param overload whether carriers still change hands: there is too much to do, but nothing is stuck
 * @param remedy an option that would help, if there is one
 * @param deadlock the threads that wait for each other, in their order; none if it is not such
 * @param starvedNanos how long every carrier had been held by then
 * @param carriers how many there are
 * @param queued virtual threads that were ready to run and had no carrier
 * @param queuedThreads some of them
 * @param held the carriers
 * @param locks what their threads wait for
 */
public record Diagnosis(
        String verdict,
        boolean overload,
        @Nullable String remedy,
        List<Link> deadlock,
        long starvedNanos,
        int carriers,
        long queued,
        List<String> queuedThreads,
        List<Held> held,
        List<Lock> locks) {

    /**
     * A carrier and the virtual thread on it.
     *
     * @param thread its name and id
     * @param state what it does: the kind of its pin, and for how long, or the thread's state
     * @param waitsFor the lock or monitor, if it is known
     * @param owner who has that, if it is known
     * @param stack the innermost frame first; one that holds the carrier says so
     */
    public record Held(
            String carrier,
            String thread,
            String state,
            @Nullable String waitsFor,
            @Nullable String owner,
            List<String> stack) {}

    /** One of several threads each of which waits for what the next one has. */
    public record Link(String thread, String has, String waitsFor) {}

    private static final int MOST_HELD = 8;
    private static final int MOST_FRAMES = 64;

    /** A lock, its owner, and who waits for it, the first to get it first. */
    public record Lock(String name, @Nullable String owner, List<String> queue) {}

    /** For a terminal: the first carriers, and the innermost frames of each. Without a line break at the end. */
    String inBrief() {
        return inWords(MOST_HELD, MOST_FRAMES);
    }

    /** All of it, in several lines, without a line break at the end. */
    public String inWords() {
        return inWords(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    private String inWords(int mostHeld, int mostFrames) {
        StringBuilder text = new StringBuilder(verdict);
        for (Link link : deadlock) {
            text.append("\n  ").append(link.thread).append(" has ").append(link.has);
            text.append(", and waits for ").append(link.waitsFor);
        }
        for (Lock lock : locks) {
            text.append("\n  ").append(lock.name).append(": ");
            text.append(lock.owner == null ? "has no owner" : "is owned by " + lock.owner);
            text.append("; in its queue: ").append(lock.queue.isEmpty() ? "nobody" : String.join(", ", lock.queue));
        }
        text.append("\n  ready to run, without a carrier: ").append(queued);
        if (!queuedThreads.isEmpty()) {
            text.append(" (").append(String.join(", ", queuedThreads)).append(')');
        }
        Map<List<String>, String> told = new HashMap<>();
        for (Held each : held.subList(0, Math.min(mostHeld, held.size()))) {
            text.append("\n  ").append(each.carrier).append(" carries ").append(each.thread);
            text.append(": ").append(each.state);
            if (each.waitsFor != null) {
                text.append(", waits for ").append(each.waitsFor);
                text.append(each.owner == null ? "" : ", which " + each.owner + " has");
            }
            String same = each.stack.isEmpty() ? null : told.putIfAbsent(each.stack, each.carrier);
            if (same != null) {
                text.append("\n      the same stack as ").append(same);
                continue;
            }
            for (String frame : each.stack.subList(0, Math.min(mostFrames, each.stack.size()))) {
                text.append("\n      ").append(frame);
            }
        }
        if (held.size() > mostHeld) {
            text.append("\n  and ").append(held.size() - mostHeld).append(" more, see /api/report");
        }
        if (remedy != null) {
            text.append("\n  ").append(remedy);
        }
        return text.toString();
    }
}
