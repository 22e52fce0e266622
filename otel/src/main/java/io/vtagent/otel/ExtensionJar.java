package io.vtagent.otel;

import java.io.File;
import java.io.FileNotFoundException;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Collections;
import java.util.List;
import java.util.zip.ZipFile;
import org.jspecify.annotations.Nullable;

/**
 * Finds the file of this extension among those that OpenTelemetry's agent was given. The URLs of
 * its class loader do not name files.
 */
final class ExtensionJar {
    private static final String OWN = "io/vtagent/otel/ExtensionJar.class";

    private ExtensionJar() {}

    /**
     * @param extensions values of {@code otel.javaagent.extensions}: files and folders, separated
     *     by commas
     * @throws IOException if none of them is or has the file
     */
    static File find(List<@Nullable String> extensions) throws IOException {
        for (String several : extensions) {
            for (String one : several == null ? new String[0] : several.split(",", -1)) {
                for (File file : filesOf(new File(one))) {
                    if (isExtension(file)) {
                        return file;
                    }
                }
            }
        }
        throw new FileNotFoundException(
                "no file of otel.javaagent.extensions or OTEL_JAVAAGENT_EXTENSIONS is"
                        + " vt-agent-otel.jar");
    }

    private static List<File> filesOf(File extension) {
        List<File> files = new ArrayList<>(Collections.singletonList(extension));
        File[] inside = extension.listFiles();
        if (inside != null) {
            files.addAll(Arrays.asList(inside));
        }
        return files;
    }

    private static boolean isExtension(File file) {
        if (!file.isFile() || !file.getName().endsWith(".jar")) {
            return false;
        }
        try (ZipFile jar = new ZipFile(file)) {
            return jar.getEntry(OWN) != null;
        } catch (IOException noJar) {
            return false;
        }
    }
}
