package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class CarrierSamplerTest {
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
}
