package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class LocalsOfThreadTest {
    /** Its methods are the application's. */
    private static final class Local extends ThreadLocal<@Nullable Object> {
        @Override
        public boolean equals(Object other) {
            throw new AssertionError("runs code of the application");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("runs code of the application");
        }
    }

    private static final ThreadLocal<@Nullable Object> FIRST = new Local();
    private static final ThreadLocal<@Nullable Object> SECOND = new Local();
    private static final ThreadLocal<@Nullable Object> UNUSED =
            new ThreadLocal<>() {
                @Override
                protected Object initialValue() {
                    throw new AssertionError("runs code of the application");
                }
            };

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void theValueOfAnotherThreadIsRead(boolean virtual) throws InterruptedException {
        Object first = new Object();
        Object second = new Object();
        CountDownLatch set = new CountDownLatch(1);
        CountDownLatch end = new CountDownLatch(1);
        Thread thread =
                (virtual ? Thread.ofVirtual() : Thread.ofPlatform())
                        .start(
                                () -> {
                                    FIRST.set(first);
                                    SECOND.set(second);
                                    set.countDown();
                                    while (end.getCount() > 0) {
                                        LockSupport.parkNanos(1_000_000);
                                    }
                                });
        set.await();

        assertThat(LocalsOfThread.valueOf(FIRST, thread)).isSameAs(first);
        assertThat(LocalsOfThread.valueOf(SECOND, thread)).isSameAs(second);
        assertThat(LocalsOfThread.valueOf(UNUSED, thread)).isNull();
        end.countDown();
        thread.join();
    }

    @Test
    void aThreadThatHasNoneIsAllowed() {
        assertThat(LocalsOfThread.valueOf(FIRST, new Thread(() -> {}))).isNull();
    }
}
