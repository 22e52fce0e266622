package io.vtagent.bridge;

import io.vtagent.metrics.SummedTimer;
import io.vtagent.record.DurationTotals;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/** A timer in one of the application's registries, which is told the durations of one of the agent's. For one thread. */
final class AppTimer {
    private final ToldTimer source;
    private final ToldTimer.Untold untold;
    private final @Nullable Object timer;

    /** What it is being told, and how many durations of it it has been: a want of memory may end that in the middle. */
    private @Nullable DurationTotals telling;

    private long told;

    /** @param timer null if that registry has refused it */
    AppTimer(ToldTimer source, @Nullable Object timer) {
        this.source = source;
        this.timer = timer;
        untold = source.read();
    }

    /** Records durations in a timer of the application's. */
    interface Recorder {
        /**
         * @throws VirtualMachineError if that may pass
         * @throws RuntimeException if the application's code fails
         */
        void record(Object timer, long nanos);
    }

    /**
     * Tells it what is new, each duration once. After a {@code VirtualMachineError} it is told the rest the next time; what else fails is
     * the application's own, and costs the rest.
     */
    void tell(Recorder recorder) {
        while (telling != null || fetch()) {
            try {
                tellRest(recorder);
            } catch (VirtualMachineError passing) {
                throw passing;
            } catch (Throwable refused) {
                telling = null;
                throw refused;
            }
            telling = null;
        }
    }

    /** Whether there is something new, which it is to be told now. */
    private boolean fetch() {
        telling = source.fetch(untold);
        told = 0;
        return telling != null;
    }

    private void tellRest(Recorder recorder) {
        if (telling != null && timer != null) {
            SummedTimer.record(telling, restOf(recorder, timer));
        }
    }

    private LongConsumer restOf(Recorder recorder, Object to) {
        return new LongConsumer() {
            private long reached;

            @Override
            public void accept(long nanos) {
                if (reached++ >= told) {
                    recorder.record(to, nanos);
                    told++;
                }
            }
        };
    }
}
