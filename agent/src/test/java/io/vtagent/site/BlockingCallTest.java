package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.ThreadPoolExecutor;
import org.junit.jupiter.api.Test;

class BlockingCallTest {
    private final BlockingCall call = new BlockingCall();

    @Test
    void withoutAnyCallItIsAContendedMonitor() {
        assertThat(call.operation()).isEqualTo("synchronized");
    }

    @Test
    void theOutermostApiIsTheOperation() {
        call.enclosedBy(CountDownLatch.class, "await");
        call.enclosedBy(ThreadPoolExecutor.class, "awaitTermination");

        assertThat(call.operation())
                .isEqualTo("java.util.concurrent.ThreadPoolExecutor.awaitTermination");
    }

    @Test
    void whatRunsATaskDoesNotCallTheOperation() {
        call.enclosedBy(CountDownLatch.class, "await");
        call.enclosedBy(FutureTask.class, "run");
        call.enclosedBy(ThreadPoolExecutor.class, "execute");

        assertThat(call.operation()).isEqualTo("java.util.concurrent.CountDownLatch.await");
    }

    @Test
    void whatCallsATaskDoesNotCallTheOperation() {
        call.enclosedBy(CountDownLatch.class, "await");
        call.enclosedBy(Task.class, "call");

        assertThat(call.operation()).isEqualTo("java.util.concurrent.CountDownLatch.await");
    }

    @Test
    void aMethodOfATaskThatDoesNotRunItMayBeTheOperation() {
        call.enclosedBy(FutureTask.class, "get");
        assertThat(call.operation()).isEqualTo("java.util.concurrent.FutureTask.get");

        BlockingCall named = new BlockingCall();
        named.enclosedBy(CountDownLatch.class, "run");
        assertThat(named.operation()).isEqualTo("java.util.concurrent.CountDownLatch.run");

        BlockingCall called = new BlockingCall();
        called.enclosedBy(CountDownLatch.class, "call");
        assertThat(called.operation()).isEqualTo("java.util.concurrent.CountDownLatch.call");
    }

    @Test
    void anInternalClassIsNamedByThePublicOneThatDeclaresTheMethod() throws Exception {
        Class<?> channel = Class.forName("sun.nio.ch.SocketChannelImpl");
        call.enclosedBy(channel, "blockingRead");
        assertThat(call.operation())
                .as("a method of the internal class alone")
                .isEqualTo("sun.nio.ch.SocketChannelImpl.blockingRead");

        call.enclosedBy(channel, "read");
        assertThat(call.operation()).isEqualTo("java.nio.channels.SocketChannel.read");
    }

    private static final class Task implements Callable<String> {
        @Override
        public String call() {
            return "";
        }
    }
}
