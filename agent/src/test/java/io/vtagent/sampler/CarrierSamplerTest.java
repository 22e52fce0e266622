package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Starvation;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.pin.Buckets;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.thread.AgentThread;
import java.lang.reflect.Field;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ForkJoinPool;
import org.junit.jupiter.api.Test;

class CarrierSamplerTest {
    private static final FramesOfInterest FRAMES = new FramesOfInterest(8);
    private static final Duration LIMIT = Duration.ofSeconds(10);

    /** A thread of a class of the application's, which may override what it likes. */
    private static final class ThreadOfTheApplication extends Thread {}

    @Test
    void itWarmsUpWithAThreadOfTheJdksThatSleepsIfThereIsOne() {
        Thread own = new ThreadOfTheApplication();
        Thread runs = new Thread();
        Thread sleeps = new Thread();
        List<Thread> asked = new ArrayList<>();

        Thread chosen =
                CarrierSampler.toWarmUpWith(
                        new Thread[] {own, Thread.currentThread(), runs, sleeps, own},
                        thread -> {
                            asked.add(thread);
                            return thread != runs;
                        });

        assertThat(chosen).isSameAs(sleeps);
        assertThat(asked).containsExactly(runs, sleeps);
        assertThat(CarrierSampler.toWarmUpWith(new Thread[] {runs, own}, thread -> false))
                .isSameAs(runs);
        assertThat(CarrierSampler.toWarmUpWith(new Thread[] {own}, thread -> true)).isNull();
    }

    /** After a detach, classes that are not loaded yet may be missing, and no pause lasts. */
    @Test
    void aSamplerThatCannotPrepareEndsWhenTheAgentIsDetached()
            throws ReflectiveOperationException, InterruptedException {
        Field over = AgentThread.class.getDeclaredField("detached");
        over.setAccessible(true);
        boolean ended;
        try (BrokenPool pool = new BrokenPool()) {
            CarrierSampler sampler = samplerOf(new CarrierPool(pool));
            over.setBoolean(null, true);
            try {
                ended = Thread.ofPlatform().daemon().start(sampler).join(LIMIT);
            } finally {
                over.setBoolean(null, false);
                pool.broken = false;
            }
        }

        assertThat(ended).isTrue();
    }

    /** A scheduler of which it cannot be found out whether it was used. */
    private static final class BrokenPool extends ForkJoinPool {
        private volatile boolean broken = true;

        @Override
        public long getStealCount() {
            if (broken) {
                throw new NoClassDefFoundError("made up");
            }
            return super.getStealCount();
        }
    }

    private static CarrierSampler samplerOf(CarrierPool pool) {
        Ledger ledger = new Ledger(true, Long.MAX_VALUE, FRAMES, 10, Buckets.SINGLE);
        return new CarrierSampler(
                pool,
                ledger,
                null,
                new JfrReconciler(ledger),
                new Starvation(pool, Long.MAX_VALUE, 8, () -> false),
                new Sensors(),
                new CarrierMonitoring.Settings(
                        false, false, 1_000_000, Long.MAX_VALUE, 10_000_000, 10, () -> false),
                null);
    }
}
