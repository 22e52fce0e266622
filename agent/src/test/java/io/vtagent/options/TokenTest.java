package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TokenTest {
    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @ValueSource(strings = {"s3cret", "0", "mF_9.B5f-4.1JqM", "abc/def+ghi==", "~tilde"})
    void aTokenIsTakenAsItIs(String token) throws BadOptionException {
        assertThat(parse(token).token()).isEqualTo(new Token(token));
    }

    @Test
    void theFirstLineOfAFileIsTheToken() throws IOException, BadOptionException {
        Path file = folder.resolve("token");
        Files.writeString(file, " s3cret \r\nanother line\n");

        assertThat(parse(file.toString()).token()).isEqualTo(new Token("s3cret"));
        assertThat(parse("nothing-in-this-folder").token())
                .isEqualTo(new Token("nothing-in-this-folder"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "\n", "two words", "=", "k\u00e4se", "\u0000"})
    void aFileWithoutATokenIsRefused(String content) throws IOException {
        Path file = folder.resolve("token");
        Files.writeString(file, content);

        assertRefused(file.toString());
    }

    /** Otherwise a well-known path would be the token of a user that forgot to mount the file. */
    @ParameterizedTest
    @ValueSource(
            strings = {"/run/secrets/no-such-file", "./no-such-file", "../no-such-file", "/", "."})
    void thePathOfAFileThatIsNotThereIsNoToken(String path) {
        assertRefused(path);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "two words",
                "=",
                "C:\\secret",
                "quote\"",
                "semi;colon",
                "k\u00e4se",
                "line\nfeed",
                "nul\u0000"
            })
    void whatAHeaderCannotCarryIsRefused(String value) {
        assertRefused(value);
    }

    @Test
    void theTokenIsNeitherInTheTextOfTheOptionsNorInItsOwn() throws BadOptionException {
        assertThat(parse("s3cret").toString()).contains("Token").doesNotContain("s3cret");
    }

    private static void assertRefused(String value) {
        assertThatThrownBy(() -> parse(value))
                .isInstanceOf(BadOptionException.class)
                .hasMessageStartingWith(
                        "option \"token\" of the environment has a value that is not shown")
                .hasMessageContaining("expected letters, digits and ")
                .satisfies(
                        refused ->
                                assertThat(
                                                value.length() < 2
                                                        || !String.valueOf(refused.getMessage())
                                                                .contains(value))
                                        .isTrue());
    }

    private static AgentOptions parse(String token) throws BadOptionException {
        return AgentOptions.parse(null, new Properties(), Map.of("VTAGENT_TOKEN", token));
    }
}
