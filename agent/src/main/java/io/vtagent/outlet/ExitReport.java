package io.vtagent.outlet;

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

/** Writes the report when the JVM ends, or the agent does. */
final class ExitReport implements Outlet {
    /** The JVM cannot end before a shutdown hook has ended, and it may be that nobody reads what this one prints. */
    private static final long LONGEST_STANDSTILL_NANOS = TimeUnit.SECONDS.toNanos(5);

    private final ReportTarget target;
    private final Rendering rendering;
    private final Supplier<PinReport> report;
    private final AtExit atExit;
    private @Nullable Consumer<PinReport> writer;

    /** Makes the text of a report. */
    interface Rendering {
        String of(PinReport report, ReportTarget.Format format);
    }

    ExitReport(ReportTarget target, AtExit atExit, Rendering rendering, Supplier<PinReport> report) {
        this.atExit = atExit;
        this.target = target;
        this.rendering = rendering;
        this.report = report;
    }

    /** A file that cannot be written is said at once, and stderr takes its place. */
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
                : "option \"report\" is \"" + file
                        + "\", which cannot be written, expected a file in a folder that exists" + " and is writable";
    }

    @Override
    public void tellLast(PinReport last) {
        Consumer<PinReport> write = writer;
        if (write != null) {
            AtExit.orSay(() -> write.accept(last));
        }
    }

    @Override
    public void end() {
        atExit.forget();
    }

    private void print(PrintStream to, PinReport last) {
        new BoundedOutput(to, to.charset(), LONGEST_STANDSTILL_NANOS)
                .write(rendering.of(last, ReportTarget.Format.TEXT));
    }

    private void save(Path file, ReportTarget.Format format, PinReport last, PrintStream instead) {
        try {
            replace(file, rendering.of(last, format));
        } catch (IOException failed) {
            AgentLog.error("cannot write the report to " + file + " (" + failed + "), it goes to stderr");
            print(instead, last);
        }
    }

    /**
     * Writes beside the file and moves that into its place: who reads it sees the old or the new report as a whole, also when
     * several JVMs write the same one or the disk is full.
     */
    private static void replace(Path file, String text) throws IOException {
        Path real = Files.exists(file) ? file.toRealPath() : file.toAbsolutePath();
        // not Files.createTempFile, whose files nobody else may read
        Path beside = real.resolveSibling(
                ".vt-agent-" + ProcessHandle.current().pid() + "-" + Long.toHexString(System.nanoTime()) + ".tmp");
        try {
            // not Files.writeString, which refuses half of a surrogate pair, as a thread's name can have
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
