package io.vtagent.bench;

/** A place that pins. {@link LiveHeap} makes copies of this class, each with another number, so that there are many. */
final class SiteTemplate000 implements Runnable {
    private static final int FRAMES = 50;
    private static final int HELD_MILLIS = 2;

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

    private synchronized void pin() {
        try {
            Thread.sleep(HELD_MILLIS);
        } catch (InterruptedException nobodyDoes) {
            Thread.currentThread().interrupt();
        }
    }
}
