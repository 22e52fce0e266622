package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.JavaBase;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The sources open and start only what {@code docs/security.md} lists. */
class SecurityInDocsTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Pattern PACKAGE = Pattern.compile("\"([a-z.]+)\", self");
    private static final Pattern THREAD = Pattern.compile("\"(vt-agent-[a-z-]+)");
    private static final Pattern QUOTED = Pattern.compile("`((?:java|jdk|sun)\\.[a-z.]+)`");

    /** The command line's own, and one that is never started. */
    private static final Set<String> NOT_BESIDE_THE_APPLICATION =
            Set.of("vt-agent-terminal", "vt-agent-top", "vt-agent-otlp-unused");

    @Test
    void thePackagesThatAreOpenedAndThoseThatAreOnlyExported() throws IOException {
        String source =
                Files.readString(
                        SOURCES.resolve(JavaBase.class.getName().replace('.', '/') + ".java"));
        // redefineModule takes the exported packages first; java.base comes before java.management
        String[] maps = source.split("Map\\.of\\(", -1);
        Set<String> opened = found(PACKAGE, maps[2] + maps[5]);
        Set<String> exported = found(PACKAGE, maps[1] + maps[4]);
        exported.removeAll(opened);

        String[] documented = bullet("- **Opened**").split("Exported only", -1);
        Set<String> documentedAsOpened = found(QUOTED, documented[0]);
        documentedAsOpened.removeAll(Set.of("java.base", "java.management"));
        assertThat(opened).hasSizeGreaterThan(5).isEqualTo(documentedAsOpened);
        assertThat(exported).isNotEmpty().isEqualTo(found(QUOTED, documented[1]));
    }

    @Test
    void theThreads() throws IOException {
        String reported = bullet("- **Threads**");
        Set<String> names = new TreeSet<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(each -> each.toString().endsWith(".java")).toList()) {
                names.addAll(found(THREAD, Files.readString(file)));
            }
        }
        names.removeAll(NOT_BESIDE_THE_APPLICATION);
        assertThat(names)
                .hasSizeGreaterThan(10)
                .allSatisfy(name -> assertThat(reported).contains('`' + name));
    }

    private static Set<String> found(Pattern pattern, String text) {
        return pattern.matcher(text)
                .results()
                .map(match -> match.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    /** The part of the document that begins so, without its line breaks. */
    private static String bullet(String begin) throws IOException {
        String document = Files.readString(Path.of("..", "docs", "security.md"));
        return Arrays.stream(document.split("\n(?=- \\*\\*)|\n\n"))
                .filter(part -> part.startsWith(begin))
                .findFirst()
                .orElseThrow();
    }
}
