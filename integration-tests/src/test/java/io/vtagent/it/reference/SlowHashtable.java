package io.vtagent.it.reference;

import java.util.Hashtable;
import java.util.Map;

/** Keys whose hash code takes its time, which {@code Hashtable.get} asks for in its monitor. */
final class SlowHashtable implements Workload {
    private static final long MILLIS = 5;

    @SuppressWarnings("JdkObsolete") // that is what it is about
    private final Map<SlowKey, String> values = new Hashtable<>();

    private record SlowKey(int number) {
        @Override
        public int hashCode() {
            try {
                Thread.sleep(MILLIS);
                return number;
            } catch (InterruptedException nobodyDoes) {
                throw new IllegalStateException(nobodyDoes);
            }
        }
    }

    @Override
    public void hold(int thread, int round) {
        if (values.containsKey(new SlowKey(thread))) {
            throw new IllegalStateException("nobody put anything");
        }
    }
}
