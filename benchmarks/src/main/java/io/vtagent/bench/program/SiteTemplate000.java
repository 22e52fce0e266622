package io.vtagent.bench.program;

/** A place that pins. {@link ManySites} makes copies of this class, each with another number, so that there are many. */
final class SiteTemplate000 implements Runnable {
    private static final int FRAMES = 50;
    private static final long HELD_NANOS = 2_000_000;

    @Override
    public void run() {
        descend(FRAMES);
    }

    private void descend(int frames) {
        if (frames > 0) {
            descend(frames - 1);
        } else {
            pin();
        }
    }

    /** Calls native code itself, so that the caller is another one in each copy. */
    private static void pin() {
        try {
            NativePin.PARK.invoke(null, HELD_NANOS);
        } catch (ReflectiveOperationException failure) {
            throw new IllegalStateException(failure);
        }
    }
}
