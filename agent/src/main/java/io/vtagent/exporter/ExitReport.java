package io.vtagent.exporter;

import io.vtagent.log.AgentLog;
import io.vtagent.log.BoundedOutput;
import io.vtagent.options.ReportTarget;
import io.vtagent.report.PinReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Writes the report when the JVM ends or the agent is detached. */
final class ExitReport implements Exporter {
    /**
     * The longest time to wait for a reader without progress: the JVM cannot end before its
     * shutdown hooks have ended, and perhaps no process reads this output.
     */
    private static final long MAX_STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ReportTarget target;
    private final Rendering rendering;
    private final Supplier<PinReport> report;
    private final ShutdownReportHook atExit;
    private @Nullable Consumer<PinReport> writer;

    /** Renders a report as text. */
    interface Rendering {
        String of(PinReport report, ReportTarget.Format format);
    }

    ExitReport(
            ReportTarget target,
            ShutdownReportHook atExit,
            Rendering rendering,
            Supplier<PinReport> report) {
        this.atExit = atExit;
        this.target = target;
        this.rendering = rendering;
        this.report = report;
    }

    /**
     * Prepares the writer. If the file cannot be written, logs that now and uses stderr instead.
     */
    @Override
    public void open() {
        PrintStream stdout = atExit.stdout();
        PrintStream stderr = atExit.stderr();
        Path file = target.file();
        String unwritable = failure();
        if (unwritable != null) {
            AgentLog.error(unwritable + "; the report goes to stderr");
        }
        Consumer<PinReport> write =
                switch (target.place()) {
                    case OFF -> null;
                    case STDOUT -> last -> print(stdout, last);
                    case STDERR -> last -> print(stderr, last);
                    case FILE ->
                            file != null && unwritable == null
                                    ? last -> save(file, target.format(), last, stderr)
                                    : last -> print(stderr, last);
                };
        writer = write;
        if (write != null) {
            atExit.becomes(() -> write.accept(report.get()));
        }
    }

    @Override
    public @Nullable String failure() {
        Path file = target.file();
        return target.place() != ReportTarget.Place.FILE || file == null || isWritable(file)
                ? null
                : "option \"report\" is \""
                        + file
                        + "\", which cannot be written, expected a file in a folder that exists"
                        + " and is writable";
    }

    @Override
    public void publishLast(PinReport last) {
        Consumer<PinReport> write = writer;
        if (write != null) {
            ShutdownReportHook.runOrLog(() -> write.accept(last));
        }
    }

    @Override
    public void end() {
        atExit.forget();
    }

    private void print(PrintStream to, PinReport last) {
        new BoundedOutput(to, to.charset(), MAX_STANDSTILL_NANOS)
                .write(rendering.of(last, ReportTarget.Format.TEXT));
    }

    private void save(Path file, ReportTarget.Format format, PinReport last, PrintStream instead) {
        try {
            replace(file, rendering.of(last, format));
        } catch (IOException failed) {
            AgentLog.error(
                    "cannot write the report to " + file + " (" + failed + "), it goes to stderr");
            print(instead, last);
        }
    }

    /**
     * Writes a temporary file beside {@code file} and moves it into its place. Readers see the old
     * or the new report as a whole, even if several JVMs write to the same file or the disk is
     * full.
     */
    private static void replace(Path file, String text) throws IOException {
        Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        // not Files.createTempFile, whose files other users may not read
        Path beside =
                real.resolveSibling(
                        ".vt-agent-"
                                + ProcessHandle.current().pid()
                                + "-"
                                + Long.toHexString(System.nanoTime())
                                + ".tmp");
        try {
            // not Files.writeString, which rejects a lone surrogate, and a thread's name can
            // contain one
            byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
            Files.write(beside, bytes, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
            Files.move(beside, real, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException | RuntimeException | Error failed) {
            Files.deleteIfExists(beside);
            throw failed;
        }
    }

    private static boolean isWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        return folder != null
                && Files.isDirectory(folder)
                && Files.isWritable(folder)
                && (!Files.exists(file) || (Files.isRegularFile(file) && Files.isWritable(file)));
    }
}
