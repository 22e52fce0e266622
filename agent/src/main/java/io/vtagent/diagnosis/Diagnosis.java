package io.vtagent.diagnosis;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A diagnosis of starvation, at the moment when it was made.
 *
 * @param verdict the reason, in a few sentences
 * @param overload whether carriers still take up other threads: there is too much work, but nothing
 *     is stuck
 * @param remedy a sentence on an option that would help; null if there is none
 * @param deadlock the threads that wait for each other, in their order; empty if there is no
 *     deadlock
 * @param starvedNanos how long every carrier had been held by then
 * @param carriers how many carriers are held
 * @param queued how many virtual threads were ready to run and had no carrier
 * @param queuedThreads the labels of some of them
 * @param held the held carriers
 * @param locks the {@code java.util.concurrent} locks for which the threads in the verdict wait
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
        List<CarrierState> held,
        List<Lock> locks) {

    /**
     * A carrier and the virtual thread on it.
     *
     * @param thread its name and id
     * @param state the kind of its pin and for how long, or the thread's state
     * @param waitsFor the lock or monitor, if it is known
     * @param owner the thread that has it, if it is known
     * @param stack the innermost frame first; the frame that holds the carrier is marked
     */
    public record CarrierState(
            String carrier,
            String thread,
            String state,
            @Nullable String waitsFor,
            @Nullable String owner,
            List<String> stack) {}

    /** A thread of a deadlock. It waits for what the next one has. */
    public record Link(String thread, String has, String waitsFor) {
        /** Returns that as a sentence without a period. */
        public String inWords() {
            return thread + " has " + has + ", and waits for " + waitsFor;
        }
    }

    private static final int MAX_HELD = 8;
    private static final int MAX_FRAMES = 64;

    /** A lock, its owner, and the threads that wait for it, the next owner first. */
    public record Lock(String name, @Nullable String owner, List<String> queue) {}

    /**
     * Returns the text for a terminal, with the first carriers and the innermost frames of each. It
     * has no line break at the end.
     */
    String inBrief() {
        return inWords(MAX_HELD, MAX_FRAMES);
    }

    /** Returns the whole text, in several lines without a line break at the end. */
    public String inWords() {
        return inWords(Integer.MAX_VALUE, Integer.MAX_VALUE);
    }

    private String inWords(int mostHeld, int mostFrames) {
        StringBuilder text = new StringBuilder(verdict);
        for (Link link : deadlock) {
            text.append("\n  ").append(link.inWords());
        }
        for (Lock lock : locks) {
            text.append("\n  ").append(lock.name).append(": ");
            text.append(lock.owner == null ? "has no owner" : "is owned by " + lock.owner);
            text.append("; in its queue: ")
                    .append(lock.queue.isEmpty() ? "no thread" : String.join(", ", lock.queue));
        }
        if (queued > 0) {
            text.append("\n  ready to run, without a carrier: ").append(queued);
        }
        if (!queuedThreads.isEmpty()) {
            text.append(" (").append(String.join(", ", queuedThreads)).append(')');
        }
        Map<List<String>, String> carriersByStack = new HashMap<>();
        for (CarrierState each : held.subList(0, Math.min(mostHeld, held.size()))) {
            text.append("\n  ").append(each.carrier).append(" carries ").append(each.thread);
            text.append(": ").append(each.state);
            if (each.waitsFor != null) {
                text.append(", waits for ").append(each.waitsFor);
                text.append(each.owner == null ? "" : ", which " + each.owner + " has");
            }
            String same =
                    each.stack.isEmpty()
                            ? null
                            : carriersByStack.putIfAbsent(each.stack, each.carrier);
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
