package io.vtagent.site;

import java.util.List;

/**
 * The part of a stack that is kept, and the packages in which a frame counts as the caller.
 *
 * @param kept the maximum number of frames to keep, the innermost ones
 * @param app prefixes of the user's own packages, from which the caller is taken; if empty,
 *     everything except the JDK is the user's own
 */
public record FramesOfInterest(int kept, List<String> app) {

    /** Keeps this many frames and treats everything except the JDK as the user's own. */
    public FramesOfInterest(int kept) {
        this(kept, List.of());
    }

    /**
     * Returns whether a class outside the JDK is the user's own: its name equals a prefix, or
     * starts with a prefix and a dot.
     */
    boolean isApp(String className) {
        for (String prefix : app) {
            if (className.startsWith(prefix)
                    && (className.length() == prefix.length()
                            || className.charAt(prefix.length()) == '.')) {
                return true;
            }
        }
        return app.isEmpty();
    }
}
