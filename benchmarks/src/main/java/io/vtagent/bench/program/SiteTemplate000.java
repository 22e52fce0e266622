package io.vtagent.bench.program;

/**
 * A place that pins. {@link ManySites} makes copies of this class, each with another number, so
 * that there are many.
 */
final class SiteTemplate000 implements ManySites.Place {
    private static final int FRAMES = 50;

    @Override
    public void pin(int times, long nanos) {
        descend(FRAMES, times, nanos);
    }

    private void descend(int frames, int times, long nanos) {
        if (frames > 0) {
            descend(frames - 1, times, nanos);
        } else {
            pinHere(times, nanos);
        }
    }

    /** Calls native code itself, so that the caller is another one in each copy. */
    private static void pinHere(int times, long nanos) {
        try {
            for (int i = 0; i < times; i++) {
                NativePin.PARK.invoke(null, nanos);
            }
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
