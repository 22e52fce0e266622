package io.vtagent.log;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

final class BoundedOutputTest {
    private static final long SHORT_NANOS = TimeUnit.MILLISECONDS.toNanos(20);
    private static final int MEGABYTE = 1 << 20;

    /** A stream that keeps each piece that is written, and blocks before it is opened. */
    private static final class Gate extends OutputStream {
        private final CountDownLatch open = new CountDownLatch(1);
        private final List<String> pieces = new ArrayList<>();

        @Override
        public void write(int character) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void write(byte[] bytes, int from, int length) throws IOException {
            try {
                open.await();
            } catch (InterruptedException interrupted) {
                throw new IOException(interrupted);
            }
            synchronized (pieces) {
                pieces.add(new String(bytes, from, length, StandardCharsets.UTF_8));
            }
        }

        List<String> pieces() {
            synchronized (pieces) {
                return List.copyOf(pieces);
            }
        }
    }

    private final Gate gate = new Gate();
    private final BoundedOutput output =
            new BoundedOutput(gate, StandardCharsets.UTF_8, SHORT_NANOS);

    @Test
    void whenSomebodyHasWrittenItIsThere() {
        BoundedOutput patient =
                new BoundedOutput(gate, StandardCharsets.UTF_8, TimeUnit.DAYS.toNanos(1));
        gate.open.countDown();
        patient.write("über\n");
        assertThat(gate.pieces()).containsExactly("über\n");
        patient.write("more\n");
        assertThat(gate.pieces()).containsExactly("über\n", "more\n");
    }

    @Test
    void whatCouldNotBeWrittenIsWrittenLaterInItsOrder() {
        output.write("first\n");
        output.write("second\n");
        assertThat(gate.pieces()).isEmpty();
        gate.open.countDown();
        await().until(() -> gate.pieces().equals(List.of("first\n", "second\n")));
    }

    @Test
    void onlyTheFirstWaitsWhereNothingMoves() {
        BoundedOutput slow =
                new BoundedOutput(gate, StandardCharsets.UTF_8, TimeUnit.SECONDS.toNanos(1));
        slow.write("first\n");
        for (int i = 0; i < 1_000; i++) {
            slow.write("another\n"); // a quarter of an hour, if each waited
        }
        gate.open.countDown();
        await().until(() -> gate.pieces().size() == 1_001);
    }

    @Test
    void noMoreThanAMegabyteIsKept() {
        String kibibyte = "x".repeat(1_023) + "\n";
        for (int i = 0; i < 2 * MEGABYTE / kibibyte.length(); i++) {
            output.write(kibibyte);
        }
        gate.open.countDown();
        await().until(() -> gate.pieces().size() == MEGABYTE / kibibyte.length());
        await().untilAsserted(
                        () -> {
                            output.write("end\n");
                            assertThat(gate.pieces()).last().isEqualTo("end\n");
                        });
    }

    @Test
    void whatIsLongerThanAMegabyteIsWrittenWholeToAReader() {
        gate.open.countDown();
        BoundedOutput patient =
                new BoundedOutput(gate, StandardCharsets.UTF_8, TimeUnit.DAYS.toNanos(1));
        String text = "a line of a long report\n".repeat(3 * MEGABYTE / 24);
        patient.write(text);
        assertThat(String.join("", gate.pieces())).isEqualTo(text);
    }

    @Test
    void itsThreadIsADaemonWhoseFailuresStayHidden() {
        AtomicReference<Thread> writer = new AtomicReference<>();
        OutputStream output =
                new OutputStream() {
                    @Override
                    public void write(int character) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) {
                        writer.set(Thread.currentThread());
                    }
                };
        new BoundedOutput(output, StandardCharsets.UTF_8, TimeUnit.DAYS.toNanos(1)).write("line\n");
        Thread thread = Objects.requireNonNull(writer.get());
        assertThat(thread.isDaemon()).isTrue();
        assertThat(thread.getName()).isEqualTo("vt-agent-log");
        assertThat(thread.getContextClassLoader()).isNull();
    }

    /** As if the JVM had as many threads as it may have. */
    @Test
    @Timeout(60)
    void nobodyWritesToWhatMayBeStuckWhereNoThreadCanBeStartedAndTheNextOneThatCanWritesItAll() {
        AtomicBoolean noThread = new AtomicBoolean(true);
        BoundedOutput output =
                new BoundedOutput(gate, StandardCharsets.UTF_8, SHORT_NANOS) {
                    @Override
                    void start(Thread thread) {
                        if (noThread.get()) {
                            throw new OutOfMemoryError("unable to create native thread");
                        }
                        super.start(thread);
                    }
                };
        output.write("first\n");
        output.write("second\n");
        gate.open.countDown();
        assertThat(gate.pieces()).isEmpty();

        noThread.set(false);
        output.write("third\n");
        await().until(() -> gate.pieces().equals(List.of("first\n", "second\n", "third\n")));
    }

    @Test
    void longTextIsCutBetweenItsLines() {
        gate.open.countDown();
        String line = "x".repeat(2_999) + "\n";
        output.write(line.repeat(5) + "y".repeat(10_000));
        await().until(() -> gate.pieces().stream().mapToInt(String::length).sum() == 25_000);
        assertThat(gate.pieces()).startsWith(line.repeat(2), line.repeat(2), line);
    }

    @Test
    void theInterruptionOfTheWriterIsNotLost() {
        Thread.currentThread().interrupt();
        output.write("first\n");
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void whatFailsIsDroppedAndTheNextIsWritten() {
        gate.open.countDown();
        OutputStream failsOnce =
                new OutputStream() {
                    private boolean failed;

                    @Override
                    public void write(int character) {
                        throw new UnsupportedOperationException();
                    }

                    @Override
                    public void write(byte[] bytes, int from, int length) throws IOException {
                        if (!failed) {
                            failed = true;
                            throw new IOException("Broken pipe");
                        }
                        gate.write(bytes, from, length);
                    }
                };
        BoundedOutput toIt =
                new BoundedOutput(failsOnce, StandardCharsets.UTF_8, TimeUnit.DAYS.toNanos(1));
        toIt.write("first\n");
        toIt.write("second\n");
        assertThat(gate.pieces()).containsExactly("second\n");
    }
}
