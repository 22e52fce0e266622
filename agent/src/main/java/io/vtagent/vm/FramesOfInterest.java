package io.vtagent.vm;

import java.util.List;

/**
 * What is wanted of a stack.
 *
 * @param kept the most frames that are kept, the innermost ones
 * @param app prefixes of the user's own packages, one of whose lines is the caller; none stands for everything but the JDK
 */
public record FramesOfInterest(int kept, List<String> app) {

    /** So many frames; everything but the JDK is the user's own. */
    public FramesOfInterest(int kept) {
        this(kept, List.of());
    }

    /** Whether a class which is not the JDK's is the user's own: a prefix of its name is followed by a dot, or the whole name. */
    boolean isApp(String className) {
        for (String prefix : app) {
            if (className.startsWith(prefix)
                    && (className.length() == prefix.length() || className.charAt(prefix.length()) == '.')) {
                return true;
            }
        }
        return app.isEmpty();
    }
}
