package io.vtagent.it.workload;

import brave.Span;
import brave.Tracer;
import brave.Tracing;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import zipkin2.reporter.BytesMessageSender;
import zipkin2.reporter.Encoding;
import zipkin2.reporter.brave.AsyncZipkinSpanHandler;

/**
 * {@code THREADS}: virtual threads that end spans of brave's, which zipkin-reporter queues under a
 * lock. {@code ScopedSpan.finish} waits for it as it is, {@code Span.finish} in a monitor. The
 * reporter's own thread has the lock until one of the first kind and {@code THREADS} of the second
 * wait for it.
 */
public final class Spans {
    private static final int SPANS_PER_MESSAGE = 1_000;
    private static final long FLUSH_SECONDS = 3_600;

    private static final CountDownLatch LOCKED = new CountDownLatch(1);
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    private Spans() {}

    /** Is asked by the reporter's thread, under the lock, how long a span is. */
    private static final class Discarding extends BytesMessageSender.Base {
        Discarding() {
            super(Encoding.JSON);
        }

        @Override
        public int messageMaxBytes() {
            return SPANS_PER_MESSAGE * SPANS_PER_MESSAGE;
        }

        @Override
        public int messageSizeInBytes(int encodedSize) {
            LOCKED.countDown();
            Waiting.forLatch(RELEASED);
            return super.messageSizeInBytes(encodedSize);
        }

        @Override
        public void send(List<byte[]> spans) throws IOException {
            // no collector
        }

        @Override
        public void close() {
            // nothing is open
        }
    }

    public static void main(String[] arguments) throws InterruptedException {
        int threads = Integer.parseInt(arguments[0]);
        WorkloadConsole.warmUp();
        AsyncZipkinSpanHandler reporter =
                AsyncZipkinSpanHandler.newBuilder(new Discarding())
                        .messageTimeout(FLUSH_SECONDS, TimeUnit.SECONDS)
                        .build();
        Tracer tracer = Tracing.newBuilder().addSpanHandler(reporter).build().tracer();
        tracer.startScopedSpan("first of all").finish(); // starts the reporter's thread
        LOCKED.await();
        List<Thread> ending = new ArrayList<>();
        ending.add(
                Thread.ofVirtual()
                        .name("first-in-queue")
                        .start(() -> tracer.startScopedSpan("scoped").finish()));
        Waiting.awaitAll(ending);
        for (int i = 0; i < threads; i++) {
            Span span = tracer.newTrace().start();
            ending.add(Thread.ofVirtual().name("holder-" + i).start(span::finish));
            Waiting.awaitAll(ending);
        }
        RELEASED.countDown();
        WorkloadConsole.printAndWait("released");
        Tasks.join(ending);
        WorkloadConsole.done();
    }
}
