package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** The replies to a client that asks for a change, and the result of the change. */
@Timeout(60)
class TaskTest {
    private static final long SHORT = 20_000_000;
    private static final long LONG = 10_000_000_000L;

    private final AtomicInteger done = new AtomicInteger();

    @Test
    void whatHasNotBegunIsNotDoneWhenNobodyWaitsForItAnyMore() {
        Task task = new Task(this::change);

        assertThat(task.await(SHORT, LONG)).contains("not answered", "nothing was changed");
        task.run();
        assertThat(done).hasValue(0);
    }

    @Test
    void whatHasBegunIsWaitedForAndIsNeverReportedAsUnchanged() throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch mayEnd = new CountDownLatch(1);
        Task task =
                new Task(
                        () -> {
                            begun.countDown();
                            mayEnd.await();
                            return change();
                        });
        Thread other = Thread.ofPlatform().start(task);
        begun.await();

        assertThat(task.await(SHORT, SHORT))
                .contains("continues")
                .doesNotContain("nothing was changed");
        mayEnd.countDown();
        assertThat(task.await(SHORT, LONG)).isNull();
        assertThat(done).hasValue(1);
        other.join();
    }

    @Test
    void itReportsWhyItFails() {
        Task refused = new Task(() -> "the port is taken");
        refused.run();
        assertThat(refused.await(LONG, LONG)).isEqualTo("the port is taken");

        Task failed =
                new Task(
                        () -> {
                            throw new IllegalStateException("made up");
                        });
        failed.run();
        assertThat(failed.await(LONG, LONG)).contains("made up");
    }

    private @Nullable String change() {
        done.incrementAndGet();
        return null;
    }
}
