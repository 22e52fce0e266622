package io.vtagent.report;

import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The answer to the question why virtual threads are slow.
 *
 * @param text one or two sentences
 * @param evidence the figures behind the text, by name; shares are between 0 and 1, times are in
 *     seconds
 * @param line the code to start with, as {@code class.method:line}; null if there is none
 * @param advice what to do about it; null if there is nothing to do
 */
public record Answer(
        Kind kind,
        String text,
        Map<String, Double> evidence,
        @Nullable String line,
        @Nullable String advice) {

    /** The cause. If several are true, the first one is the answer. */
    public enum Kind {
        /** Every carrier is held, work is queued, and no carrier changes threads. */
        STUCK,
        /** Held carriers made virtual threads wait. */
        HELD,
        /** The container's CPU quota stopped the JVM. */
        THROTTLED,
        /** The JVM paused all threads, for example to collect garbage. */
        PAUSED,
        /** Carriers that compute made virtual threads wait. */
        BUSY,
        /** Virtual threads wait for something other than a carrier. */
        WAITING,
        /** Carriers were held, and no virtual thread waited for one. */
        HARMLESS,
        /** Nothing held or delayed virtual threads. */
        NOTHING;

        /** Returns the name in JSON. */
        public String label() {
            return name().toLowerCase(Locale.ROOT);
        }
    }
}
