package io.vtagent.site;

import org.jspecify.annotations.Nullable;

/**
 * Finds the caller among the holder's frame and the frames outward of it: the nearest one in the
 * user's own packages or, if there is none, the nearest one outside the JDK. Not thread-safe.
 *
 * @param <F> the type that represents a frame
 */
final class Caller<F> {
    private final FramesOfInterest wanted;
    private @Nullable F nearest;
    private @Nullable F nearestOfApp;

    Caller(FramesOfInterest wanted) {
        this.wanted = wanted;
    }

    /**
     * Adds the next frame, going outward.
     *
     * @param passesOn whether the frame belongs to the JDK or only passes a call on
     */
    void enclosedBy(F frame, String className, boolean passesOn) {
        if (passesOn || nearestOfApp != null) {
            return;
        }
        if (nearest == null) {
            nearest = frame;
        }
        if (wanted.isApp(className)) {
            nearestOfApp = frame;
        }
    }

    /** Returns whether further frames cannot change the result. */
    boolean isFound() {
        return nearestOfApp != null;
    }

    /** Returns the caller, or null if all frames belong to the JDK or only pass a call on. */
    @Nullable F frame() {
        return nearestOfApp == null ? nearest : nearestOfApp;
    }
}
