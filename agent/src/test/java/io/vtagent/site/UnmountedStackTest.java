package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnmountedStackTest {
    @Test
    void aWaitingThreadsFramesAreThoseThatTheJdkPrints() throws InterruptedException {
        Thread thread = Thread.ofVirtual().start(LockSupport::park);
        while (thread.getState() != Thread.State.WAITING) {
            Thread.onSpinWait();
        }

        assertThat(UnmountedStack.of(thread)).containsExactly(thread.getStackTrace()).isNotEmpty();
        LockSupport.unpark(thread);
        thread.join();
    }

    @Test
    void aThreadThatDoesNotWaitHasNone() {
        assertThat(UnmountedStack.of(Thread.ofVirtual().unstarted(() -> {}))).isEmpty();
    }

    /** Otherwise a thread that was unparked meanwhile would never run again. */
    @Test
    void aReadThatFailedIsRepeatedUntilItSucceeds() throws ReflectiveOperationException {
        Failing jdk = new Failing();
        MethodHandle take =
                MethodHandles.lookup()
                        .findVirtual(Function.class, "apply", MethodType.genericMethodType(1))
                        .bindTo(jdk)
                        .asType(MethodType.methodType(StackTraceElement[].class, Thread.class));

        assertThatThrownBy(() -> UnmountedStack.of(take, Thread.currentThread()))
                .isInstanceOf(OutOfMemoryError.class)
                .hasMessage("read 1");
        assertThat(jdk.reads).isEqualTo(Failing.SUCCEEDS);
        assertThat(UnmountedStack.of(take, Thread.currentThread())).isEmpty();
        assertThat(jdk.reads).isEqualTo(Failing.SUCCEEDS + 1);
    }

    /** Reads no stack at first for lack of memory, and later because the thread is mounted. */
    private static final class Failing implements Function<Object, @Nullable Object> {
        static final int SUCCEEDS = 3;
        private int reads;

        @Override
        public @Nullable Object apply(Object thread) {
            reads++;
            if (reads < SUCCEEDS) {
                throw new OutOfMemoryError("read " + reads);
            }
            return null;
        }
    }
}
