package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.demo.UsageException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void withoutArgumentsEveryVariantOfEveryCaseRunsOnBothJdks() {
        Options options = parse();

        assertThat(options.mode()).isEqualTo(Options.Mode.RUN);
        assertThat(options.runs())
                .containsExactly(
                        new Run("article-cache", "pinned", 21),
                        new Run("article-cache", "pinned", 25),
                        new Run("article-cache", "fixed", 21),
                        new Run("article-cache", "fixed", 25),
                        new Run("connection-pool", "pinned", 21),
                        new Run("connection-pool", "pinned", 25),
                        new Run("connection-pool", "fixed", 21),
                        new Run("connection-pool", "fixed", 25));
        assertThat(options.carriers()).isEqualTo(8);
        assertThat(options.settings().tasks()).isEqualTo(1_000);
        assertThat(options.settings().latencyMillis()).isEqualTo(20);
    }

    @Test
    void caseVariantAndJdkNarrowWhatRuns() {
        assertThat(parse("article-cache", "--variant", "fixed", "--jdk", "24").runs())
                .containsExactly(new Run("article-cache", "fixed", 24));
    }

    @Test
    void whatARunMayVaryIsRead() {
        Options options = parse("--tasks", "7", "--carriers", "2", "--latency-ms", "0", "--jdbc-url", "jdbc:h2:mem:x");

        assertThat(options.carriers()).isEqualTo(2);
        assertThat(options.settings().tasks()).isEqualTo(7);
        assertThat(options.settings().latencyMillis()).isZero();
        assertThat(options.settings().jdbcUrl()).isEqualTo("jdbc:h2:mem:x");
    }

    @Test
    void toServeIsToRepeatTheFirstCaseAsItIsOftenWrittenOnJdk21() {
        Options options = parse("--serve");

        assertThat(options.mode()).isEqualTo(Options.Mode.SERVE);
        assertThat(options.runs()).containsExactly(new Run("article-cache", "pinned", 21));
    }

    @Test
    void whatIsServedCanBeChosen() {
        assertThat(parse("--serve", "connection-pool", "--jdk", "25", "--variant", "fixed")
                        .runs())
                .containsExactly(new Run("connection-pool", "fixed", 25));
    }

    @Test
    void listRunsNothing() {
        Options options = parse("list");

        assertThat(options.mode()).isEqualTo(Options.Mode.LIST);
        assertThat(options.runs()).isEmpty();
    }

    @Test
    void twoCasesAreOneTooMany() {
        assertThatThrownBy(() -> parse("article-cache", "connection-pool"))
                .isInstanceOf(UsageException.class)
                .hasMessage("expected one case or list, but got \"article-cache connection-pool\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--jdk=17, '--jdk expects a whole number from 21 to 99, but got \"17\"'",
        "--carriers=0, '--carriers expects a whole number from 1 to 256, but got \"0\"'",
        "--tasks=0, '--tasks expects a whole number from 1 to 1000000, but got \"0\"'",
        "--latency-ms=10001, '--latency-ms expects a whole number from 0 to 10000, but got \"10001\"'",
        "--jdbc-url=h2, '--jdbc-url expects something that begins with jdbc:, but got \"h2\"'",
        "--variant=slow, 'unknown variant \"slow\" of article-cache; expected pinned or fixed'",
        "cache, 'unknown case \"cache\"; expected article-cache or connection-pool'"
    })
    void aBadValueIsAnsweredWithWhatWasExpected(String argument, String message) {
        assertThatThrownBy(() -> parse(argument))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void theHelpNamesEveryOption() throws Exception {
        try (InputStream help = Launcher.class.getResourceAsStream("help.txt")) {
            assertThat(help).isNotNull();
            assertThat(new String(help.readAllBytes(), StandardCharsets.UTF_8))
                    .contains(Options.VALUED)
                    .contains(Options.FLAGS);
        }
    }

    private static Options parse(String... line) {
        return Options.parse(List.of(line));
    }
}
