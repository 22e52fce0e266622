package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvFileSource;

/**
 * The table of what can be wrong with options. {@code BadInputIT} shows for some of its rows that
 * the application runs.
 */
class BadOptionsTest {
    private static final String TABLE = "bad-options.txt";
    private static final Pattern CHARACTER = Pattern.compile("\\\\u([0-9a-f]{4})");

    @TempDir Path folder;

    @ParameterizedTest
    @CsvFileSource(resources = TABLE, delimiter = '|', quoteCharacter = '`')
    void whateverIsWrongHasASentenceOfItsOwn(String source, String given, String sentence)
            throws IOException {
        String input = withCharacters(given);
        Path file = folder.resolve("agent.properties");
        Files.writeString(file, input);
        String expected =
                sentence.replace("KEYS", names(Option::key))
                        .replace("PROPERTIES", names(Option::property))
                        .replace("FILE", file.toString());

        assertThatExceptionOfType(BadOptionException.class)
                .isThrownBy(
                        () -> {
                            switch (source) {
                                case "arguments" -> parse(input, "", "");
                                case "properties" -> parse(null, input, "");
                                case "environment" -> parse(null, "", input);
                                default -> parse("config=" + file, "", "");
                            }
                        })
                .withMessage(expected);
    }

    @Test
    void thereAreAHundredAndMore() throws IOException {
        try (Stream<String> rows =
                Files.lines(Path.of("src/test/resources/io/vtagent/options", TABLE))) {
            assertThat(rows.filter(row -> !row.startsWith("#")).distinct()).hasSizeGreaterThan(100);
        }
    }

    @Test
    void theSentenceShowsTheBeginningOfAValueThatIsLong() {
        assertThatExceptionOfType(BadOptionException.class)
                .isThrownBy(() -> parse("port=" + "9".repeat(1 << 20), "", ""))
                .withMessage(
                        "option \"port\" of the agent's arguments is \""
                                + "9".repeat(200)
                                + "...\", expected a port from 0 to 65535, or off");
    }

    @Test
    void aConfigFileThatIsLargeOrNoneIsNotRead() throws IOException {
        Path large = folder.resolve("large.properties");
        Files.writeString(large, "#" + " ".repeat(1 << 20));
        assertThatExceptionOfType(BadOptionException.class)
                .isThrownBy(() -> parse("config=" + large, "", ""))
                .withMessageContaining("it has more than 1048576 bytes");
        assertThatExceptionOfType(BadOptionException.class)
                .isThrownBy(() -> parse("config=" + folder, "", ""))
                .withMessageContaining("it is not a file");
    }

    private static void parse(@Nullable String arguments, String property, String variable)
            throws BadOptionException {
        Properties properties = new Properties();
        int equals = property.indexOf('=');
        if (equals > 0) {
            properties.setProperty(property.substring(0, equals), property.substring(equals + 1));
        }
        int end = variable.indexOf('=');
        AgentOptions.parse(
                arguments,
                properties,
                end < 0
                        ? Map.of()
                        : Map.of(variable.substring(0, end), variable.substring(end + 1)));
    }

    private static String withCharacters(String given) {
        return CHARACTER
                .matcher(given)
                .replaceAll(
                        found ->
                                Matcher.quoteReplacement(
                                        Character.toString(Integer.parseInt(found.group(1), 16))));
    }

    private static String names(Function<Option, String> naming) {
        return Stream.of(Option.values()).map(naming).collect(Collectors.joining(", "));
    }
}
