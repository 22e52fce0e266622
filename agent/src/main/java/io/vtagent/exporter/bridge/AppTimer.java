package io.vtagent.exporter.bridge;

import io.vtagent.metrics.SummedTimer;
import io.vtagent.pin.DurationTotals;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * A timer in one of the application's registries, which records the durations of one of the agent's
 * timers. For one thread.
 */
final class AppTimer {
    private final BufferingTimer source;
    private final BufferingTimer.Unfetched unfetched;
    private final @Nullable Object timer;

    /**
     * The durations that are being recorded, and how many of them have been: an {@code
     * OutOfMemoryError} may interrupt the recording.
     */
    private @Nullable DurationTotals recording;

    private long recorded;

    /**
     * @param timer null if the registry has refused it
     */
    AppTimer(BufferingTimer source, @Nullable Object timer) {
        this.source = source;
        this.timer = timer;
        unfetched = source.read();
    }

    /** Records durations in a timer of the application. */
    interface Recorder {
        /**
         * Records one duration.
         *
         * @throws VirtualMachineError if the failure is temporary
         * @throws RuntimeException if the application's code fails
         */
        void record(Object timer, long nanos);
    }

    /**
     * Records the new durations, each once. After a {@code VirtualMachineError} the next call
     * records the rest. Any other failure is the application's, and the rest is dropped.
     */
    void publish(Recorder recorder) {
        while (recording != null || fetch()) {
            try {
                publishRest(recorder);
            } catch (VirtualMachineError passing) {
                throw passing;
            } catch (Throwable refused) {
                recording = null;
                throw refused;
            }
            recording = null;
        }
    }

    /** Fetches the new durations and returns whether there are any. */
    private boolean fetch() {
        recording = source.fetch(unfetched);
        recorded = 0;
        return recording != null;
    }

    private void publishRest(Recorder recorder) {
        if (recording != null && timer != null) {
            SummedTimer.record(recording, restOf(recorder, timer));
        }
    }

    private LongConsumer restOf(Recorder recorder, Object to) {
        return new LongConsumer() {
            private long reached;

            @Override
            public void accept(long nanos) {
                if (reached++ >= recorded) {
                    recorder.record(to, nanos);
                    recorded++;
                }
            }
        };
    }
}
