package io.vtagent.junit;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.WeakHashMap;
import org.junit.jupiter.api.extension.ExtensionConfigurationException;
import org.junit.jupiter.api.extension.ExtensionContext;

/**
 * The prefixes of holders and callers that a whole module accepts, one a line. They come from the
 * resources {@value #RESOURCE} on the test class path, and from the file that the configuration
 * parameter {@value #FILE} names. A {@code #} begins a comment.
 */
final class Accepted {
    static final String RESOURCE = "vt-agent.ignore";
    static final String FILE = "vtagent.ignore.file";

    private static final Map<ClassLoader, List<String>> KNOWN =
            Collections.synchronizedMap(new WeakHashMap<>());

    private Accepted() {}

    /** Returns the prefixes, which are read once per class loader. */
    static List<String> ofModule(ExtensionContext context) {
        ClassLoader loader = context.getRequiredTestClass().getClassLoader();
        List<String> known = KNOWN.get(loader);
        if (known == null) {
            known = read(loader, context);
            KNOWN.put(loader, known);
        }
        return known;
    }

    private static List<String> read(ClassLoader loader, ExtensionContext context) {
        List<String> all = new ArrayList<>();
        try {
            for (URL resource : Collections.list(loader.getResources(RESOURCE))) {
                try (InputStream in = resource.openStream()) {
                    all.addAll(prefixes(new String(in.readAllBytes(), StandardCharsets.UTF_8)));
                }
            }
            String file = context.getConfigurationParameter(FILE).orElse("");
            if (!file.isEmpty()) {
                all.addAll(prefixes(Files.readString(Path.of(file))));
            }
        } catch (IOException unreadable) {
            throw new ExtensionConfigurationException(
                    "cannot read what is accepted, "
                            + RESOURCE
                            + " or the file that "
                            + FILE
                            + " names: "
                            + unreadable,
                    unreadable);
        }
        return all;
    }

    static List<String> prefixes(String text) {
        return text.lines()
                .map(line -> line.replaceFirst("#.*", "").trim())
                .filter(line -> !line.isEmpty())
                .toList();
    }
}
