package io.vtagent.cli;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class SourcesTest {
    private final Sources sources = new Sources(null, Duration.ofSeconds(1));

    @ParameterizedTest
    @CsvSource({
        ":21491, http://127.0.0.1:21491",
        "http://127.0.0.1:21491, http://127.0.0.1:21491",
        "http://127.0.0.1:21491/, http://127.0.0.1:21491",
        "http://127.0.0.1:21491/api/report?stacks=off#x, http://127.0.0.1:21491",
        "HTTP://service:80/report, HTTP://service:80",
        "https://user@service/vt, https://service",
        "http://[::1]:21491/metrics, http://[::1]:21491",
        "[::1]:21491, http://[::1]:21491",
        "service:21491, http://service:21491",
        "my-service.acme.com:21491/metrics, http://my-service.acme.com:21491",
    })
    void anEndpointIsItsHostAndPort(String argument, String base) {
        assertThat(sources.of(argument))
                .isInstanceOfSatisfying(
                        EndpointSource.class,
                        endpoint -> assertThat(endpoint.base()).hasToString(base));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "http://",
                "http://:80",
                "http://127.0.0.1:99999",
                ":0",
                ":70000",
                "http://a b",
                "https://x:y"
            })
    void whatIsNoUrlIsReported(String argument) {
        assertThatThrownBy(() -> sources.of(argument))
                .isInstanceOf(BadInputException.class)
                .hasMessage(
                        "\""
                                + argument
                                + "\" is not the URL of an endpoint, expected one such as"
                                + " http://127.0.0.1:21491");
    }

    @ParameterizedTest
    @ValueSource(strings = {"report.json", "./123", "/tmp/http:80x", "123.json", "C:report"})
    void allElseIsAFile(String argument) {
        assertThat(sources.of(argument)).isEqualTo(new FileSource(Path.of(argument)));
    }

    @Test
    void aFileThatExistsIsNotTakenForAnEndpoint(@TempDir Path folder) throws Exception {
        // a relative name with a colon can only be had in the working directory
        Path file = Path.of("target", "service-" + folder.getFileName() + ":21491").getFileName();
        Files.writeString(file, "{}");
        try {
            assertThat(sources.of(file.toString())).isEqualTo(new FileSource(file));
        } finally {
            Files.delete(file);
        }
    }

    @Test
    void aProcessThatIsNotThereIsReported() {
        // beyond what any kernel gives
        assertThatThrownBy(() -> sources.of("2147483646"))
                .isInstanceOf(BadInputException.class)
                .hasMessageStartingWith("there is no process 2147483646, expected");
    }

    @Test
    void aNameThatNoFileCanHaveIsReported() {
        assertThatThrownBy(() -> sources.of("a\0b"))
                .isInstanceOf(BadInputException.class)
                .hasMessageContaining("neither a URL nor a process id nor a file");
    }
}
