package io.vtagent;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Compares the messages that the agent logs as errors with {@code docs/troubleshooting.md}. */
class MessagesInDocsTest {
    private static final Path SOURCES = Path.of("src", "main", "java");
    private static final Path DOCUMENT = Path.of("..", "docs", "troubleshooting.md");

    private static final Pattern CALL =
            Pattern.compile("AgentLog\\s*\\.error\\((.*?)\\);", Pattern.DOTALL);
    private static final Pattern LITERAL = Pattern.compile("\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final Pattern CODE = Pattern.compile("`([^`]+)`");

    /** Stands for what differs from case to case, in the document as well. */
    private static final String VARIES = "...";

    /** Shorter texts are part of many messages. */
    private static final int MIN_LENGTH = 10;

    @Test
    void everyErrorHasAnEntry() throws IOException {
        List<Pattern> entries = entries();
        List<String> missing =
                messages().stream()
                        .filter(
                                message ->
                                        entries.stream()
                                                .noneMatch(entry -> entry.matcher(message).find()))
                        .toList();

        assertThat(missing).as("messages without an entry in " + DOCUMENT).isEmpty();
    }

    @Test
    void thereAreErrorsToCompare() throws IOException {
        assertThat(messages()).hasSizeGreaterThan(15);
    }

    /** Returns the literals of each call; a call that passes on a message has none. */
    private static List<String> messages() throws IOException {
        List<String> messages = new ArrayList<>();
        try (Stream<Path> files = Files.walk(SOURCES)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".java")).toList()) {
                Matcher call = CALL.matcher(Files.readString(file));
                while (call.find()) {
                    String literals = literals(call.group(1));
                    if (literals.length() >= MIN_LENGTH) {
                        messages.add(literals);
                    }
                }
            }
        }
        return messages;
    }

    private static String literals(String code) {
        StringBuilder all = new StringBuilder();
        Matcher literal = LITERAL.matcher(code);
        while (literal.find()) {
            all.append(all.isEmpty() ? "" : VARIES).append(literal.group(1));
        }
        return all.toString();
    }

    /** Returns the quoted texts of the document. */
    private static List<Pattern> entries() throws IOException {
        List<Pattern> entries = new ArrayList<>();
        Matcher code = CODE.matcher(Files.readString(DOCUMENT));
        while (code.find()) {
            String entry = code.group(1);
            if (entry.length() >= MIN_LENGTH) {
                entries.add(
                        Pattern.compile(
                                Stream.of(entry.split(Pattern.quote(VARIES), -1))
                                        .map(Pattern::quote)
                                        .collect(Collectors.joining(".*"))));
            }
        }
        return entries;
    }
}
