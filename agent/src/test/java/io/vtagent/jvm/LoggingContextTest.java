package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LoggingContextTest {
    private static final ThreadLocal<Map<Object, Object>> MDC = new ThreadLocal<>();
    private static final ThreadLocal<String> OTHER = ThreadLocal.withInitial(() -> "traceId");

    private final LoggingContext context = new LoggingContext(List.of("traceId", "order"));

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void itIsReadFromAnotherThread(boolean virtual) throws InterruptedException {
        CountDownLatch set = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread thread =
                (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
                        .start(
                                () -> {
                                    MDC.set(new HashMap<>(Map.of("order", "7", "traceId", "abc")));
                                    set.countDown();
                                    while (end.getCount() > 0) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                });
        set.await();

        assertThat(context.of(thread)).isEqualTo("traceId=abc, order=7");
        end.countDown();
        thread.join();
    }

    /** A method of any other class could be the application's. */
    @Test
    void onlyTextsInMapsOfTheJdkAreRead() {
        Thread current = Thread.currentThread();
        assertThat(OTHER.get()).isEqualTo("traceId");
        MDC.set(new TreeMap<>(Map.of("traceId", "abc")));
        assertThat(context.of(current)).isEmpty();
        MDC.set(
                new HashMap<>() {
                    @Override
                    public Object get(Object key) {
                        throw new AssertionError("runs code of the application");
                    }
                });
        assertThat(context.of(current)).isEmpty();
        MDC.set(new HashMap<>(Map.of("traceId", List.of("abc"), "order", "7")));
        assertThat(context.of(current)).isEqualTo("order=7");
        MDC.remove();
        assertThat(context.of(current)).isEmpty();
    }
}
