package io.vtagent.options;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/**
 * The destination and format of the report at exit.
 *
 * @param file the path, with the process id for {@code %p}; null if the report does not go to a
 *     file
 */
public record ReportTarget(Place place, Format format, @Nullable Path file) {

    public enum Place {
        OFF,
        STDERR,
        STDOUT,
        FILE
    }

    public enum Format {
        TEXT,
        JSON,
        HTML
    }

    static @Nullable ReportTarget of(String value) {
        return switch (value) {
            case "off" -> new ReportTarget(Place.OFF, Format.TEXT, null);
            case "stderr" -> new ReportTarget(Place.STDERR, Format.TEXT, null);
            case "stdout" -> new ReportTarget(Place.STDOUT, Format.TEXT, null);
            default -> toFile(value);
        };
    }

    private static @Nullable ReportTarget toFile(String value) {
        Format format = formatOf(value);
        try {
            return format == null
                    ? null
                    : new ReportTarget(Place.FILE, format, Path.of(expanded(value)));
        } catch (InvalidPathException noPath) {
            return null;
        }
    }

    /**
     * Replaces {@code %p} by the process id, for JVMs with the same options, and {@code %%} by a
     * percent sign.
     */
    private static String expanded(String value) {
        StringBuilder expanded = new StringBuilder();
        for (int i = 0; i < value.length(); i++) {
            if (value.startsWith("%p", i)) {
                expanded.append(ProcessHandle.current().pid());
                i++;
            } else {
                expanded.append(value.charAt(i));
                i += value.startsWith("%%", i) ? 1 : 0;
            }
        }
        return expanded.toString();
    }

    private static @Nullable Format formatOf(String file) {
        if (file.endsWith(".txt")) {
            return Format.TEXT;
        }
        if (file.endsWith(".json")) {
            return Format.JSON;
        }
        return file.endsWith(".html") ? Format.HTML : null;
    }
}
