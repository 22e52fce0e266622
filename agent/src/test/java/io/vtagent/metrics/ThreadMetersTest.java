package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.diagnosis.ThreadCounts;
import io.vtagent.diagnosis.ThreadGroupReader;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class ThreadMetersTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double threads(String state) {
        return registry.get(ThreadMeters.THREADS).tag("state", state).gauge().value();
    }

    @Test
    void threadsThatWaitAreCountedWhileTheyAreAlive() throws Exception {
        CarrierPool pool = CarrierPool.ofThisJvm();
        ThreadGroupReader reader = new ThreadGroupReader(pool, new FramesOfInterest(1));
        new ThreadMeters(new ThreadCounts(pool, reader)).bindTo(registry);

        CountDownLatch over = new CountDownLatch(1);
        List<Thread> started = new ArrayList<>();
        for (int i = 0; i < 100; i++) {
            started.add(
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        try {
                                            over.await();
                                        } catch (InterruptedException nobodyDoes) {
                                            throw new AssertionError(nobodyDoes);
                                        }
                                    }));
        }
        await().until(
                        () ->
                                started.stream()
                                        .allMatch(
                                                thread ->
                                                        thread.getState() == Thread.State.WAITING));

        await().until(() -> threads("mounted") + threads("queued") == 0);
        // threads of other tests may end meanwhile
        double waiting = threads("other");
        assertThat(waiting).isGreaterThanOrEqualTo(100);

        over.countDown();
        for (Thread thread : started) {
            thread.join();
        }
        // the JDK forgets a thread just after it has ended
        await().until(() -> threads("other") <= waiting - 100);
    }
}
