package io.vtagent;

import io.vtagent.log.AgentLog;
import io.vtagent.options.ReportTarget;
import io.vtagent.report.HtmlReport;
import io.vtagent.report.JsonReport;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Supplier;

/** Writes the report when the JVM ends. */
final class ExitReport {
    private ExitReport() {}

    /** A file that cannot be written is said at once, and stderr takes its place. */
    static void register(ReportTarget target, Supplier<PinReport> report) {
        PrintStream stdout = System.out;
        PrintStream stderr = System.err;
        Path file = target.file();
        Runnable write =
                switch (target.place()) {
                    case OFF -> null;
                    case STDOUT -> () -> print(stdout, report.get());
                    case STDERR -> () -> print(stderr, report.get());
                    case FILE ->
                        file != null && isWritable(file)
                                ? () -> save(file, target.format(), report.get())
                                : () -> print(stderr, report.get());
                };
        if (write != null) {
            Runtime.getRuntime()
                    .addShutdownHook(Thread.ofPlatform().name("vt-agent-report").unstarted(write));
        }
    }

    private static void print(PrintStream to, PinReport report) {
        to.print(TextReport.render(report));
        to.flush();
    }

    private static void save(Path file, ReportTarget.Format format, PinReport report) {
        try {
            Files.writeString(
                    file,
                    switch (format) {
                        case TEXT -> TextReport.render(report);
                        case JSON -> JsonReport.render(report);
                        case HTML -> HtmlReport.render(report);
                    });
        } catch (IOException failed) {
            AgentLog.error("cannot write the report to " + file + ": " + failed);
        }
    }

    private static boolean isWritable(Path file) {
        Path folder = file.toAbsolutePath().getParent();
        boolean writable = Files.exists(file)
                ? Files.isRegularFile(file) && Files.isWritable(file)
                : folder != null && Files.isDirectory(folder) && Files.isWritable(folder);
        if (!writable) {
            AgentLog.error(
                    "option \"report\" is \"" + file + "\", which cannot be written, expected a file in a folder that"
                            + " exists and is writable; the report goes to stderr");
        }
        return writable;
    }
}
