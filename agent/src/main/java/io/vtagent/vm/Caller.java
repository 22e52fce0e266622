package io.vtagent.vm;

import org.jspecify.annotations.Nullable;

/**
 * Finds the caller among the frames from the holder outward, itself included: the nearest one of the user's own packages or, where there is
 * none, the nearest one that is not the JDK's. Not thread-safe.
 *
 * @param <F> what stands for a frame
 */
final class Caller<F> {
    private final FramesOfInterest wanted;
    private @Nullable F nearest;
    private @Nullable F nearestOfApp;

    Caller(FramesOfInterest wanted) {
        this.wanted = wanted;
    }

    /** Adds the next frame, going outward. */
    void enclosedBy(F frame, String className, boolean ofJdk) {
        if (ofJdk || nearestOfApp != null) {
            return;
        }
        if (nearest == null) {
            nearest = frame;
        }
        if (wanted.isApp(className)) {
            nearestOfApp = frame;
        }
    }

    /** Whether further frames change nothing. */
    boolean isFound() {
        return nearestOfApp != null;
    }

    /** Null if all of them are the JDK's. */
    @Nullable
    F frame() {
        return nearestOfApp == null ? nearest : nearestOfApp;
    }
}
