package io.vtagent.cli;

import io.vtagent.report.PinReport.Held;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A line of a source file, as far as a report has it.
 *
 * @param path below a source root
 * @param line 0 if it is unknown
 */
record SourcePlace(String path, int line) {
    private static final Pattern NAME =
            Pattern.compile(
                    "(?<package>(?:[^.:]+\\.)*)(?<class>[^.:]+)\\.[^.:]+:(?<line>\\d+|\\?)");
    private static final String EXTENSION = ".java";

    /**
     * Returns the place of the caller of {@code held}; null if it stands for many. The stack has
     * the file's name. Without it, a class is expected in the Java file of its outermost class.
     */
    static @Nullable SourcePlace of(Held held) {
        String caller = held.site().caller();
        Matcher name = NAME.matcher(caller);
        if (!name.matches()) {
            return null;
        }
        String file = file(held, caller.substring(0, caller.lastIndexOf(':')));
        if (file == null) {
            int nested = name.group("class").indexOf('$', 1);
            file =
                    (nested < 0 ? name.group("class") : name.group("class").substring(0, nested))
                            + EXTENSION;
        }
        String line = name.group("line");
        return new SourcePlace(
                name.group("package").replace('.', '/') + file,
                line.equals("?") ? 0 : Integer.parseInt(line));
    }

    /** Returns the file that the stack names for {@code method}; null if it names none. */
    private static @Nullable String file(Held held, String method) {
        if (held.stack() == null) {
            return null;
        }
        for (String frame : held.stack().frames()) {
            int open = frame.indexOf('(');
            int colon = frame.lastIndexOf(':');
            if (open > 0
                    && open < colon
                    && frame.substring(frame.lastIndexOf('/', open) + 1, open).equals(method)) {
                return frame.substring(open + 1, colon);
            }
        }
        return null;
    }

    /**
     * Returns the path of the file with the first of {@code roots} that has it; null if none does.
     * Without roots, the path below an unknown one.
     */
    @Nullable String in(List<Path> roots) {
        if (roots.isEmpty()) {
            return path;
        }
        try {
            for (Path root : roots) {
                Path file = root.resolve(path);
                if (Files.isRegularFile(file)) {
                    return file.normalize().toString().replace('\\', '/');
                }
            }
        } catch (InvalidPathException odd) {
            return null;
        }
        return null;
    }
}
