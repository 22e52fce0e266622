package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.options.Token;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceOptionsTest {
    private static final Map<String, String> ENVIRONMENT =
            Map.of("VTAGENT_TOKEN", "from-environment");

    private final SourceOptions options = new SourceOptions();

    @Test
    void theCommandLineComesBeforeTheEnvironment() {
        assertThat(options.token(Map.of())).isNull();
        assertThat(options.token(ENVIRONMENT)).isEqualTo(new Token("from-environment"));
        options.token = "given";
        assertThat(options.token(ENVIRONMENT)).isEqualTo(new Token("given"));
    }

    @Test
    void aFileStandsForItsFirstLine(@TempDir Path folder) throws Exception {
        options.token = Files.writeString(folder.resolve("token"), "in-a-file\nelse").toString();
        assertThat(options.token(ENVIRONMENT)).isEqualTo(new Token("in-a-file"));
    }

    @Test
    void thePathOfAFileThatIsMissingIsNoToken(@TempDir Path folder) {
        options.token = folder.resolve("missing").toString();
        assertThatThrownBy(() -> options.token(ENVIRONMENT))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("--token is neither a token")
                .hasMessageNotContaining("missing");
        options.token = null;
        assertThatThrownBy(() -> options.token(Map.of("VTAGENT_TOKEN", "./missing")))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("VTAGENT_TOKEN is neither a token");
    }
}
