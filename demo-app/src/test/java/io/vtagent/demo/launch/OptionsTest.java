package io.vtagent.demo.launch;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.UsageException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class OptionsTest {

    @Test
    void withoutArgumentsEveryVariantOfTheFirstCasesRunsOnBothJdks() {
        Options options = parse();

        assertThat(options.mode()).isEqualTo(Options.Mode.RUN);
        assertThat(options.runs())
                .map(Run::toString)
                .containsExactly(
                        "article-cache, pinned, on JDK 21",
                        "article-cache, pinned, on JDK 25",
                        "article-cache, fixed, on JDK 21",
                        "article-cache, fixed, on JDK 25",
                        "connection-pool, pinned, on JDK 21",
                        "connection-pool, pinned, on JDK 25",
                        "connection-pool, fixed, on JDK 21",
                        "connection-pool, fixed, on JDK 25");
        assertThat(options.carriers()).isEqualTo(8);
    }

    @Test
    void allIsEveryVariantOfEveryCase() {
        Options options = parse("all", "--jdk", "21");

        assertThat(options.mode()).isEqualTo(Options.Mode.ALL);
        assertThat(options.runs())
                .hasSize(
                        Catalogue.CASES.stream()
                                .mapToInt(demoCase -> demoCase.variants().size())
                                .sum());
    }

    @Test
    void caseVariantAndJdkNarrowWhatRuns() {
        assertThat(parse("article-cache", "--variant", "fixed", "--jdk", "24").runs())
                .map(Run::toString)
                .containsExactly("article-cache, fixed, on JDK 24");
    }

    @Test
    void whatARunMayVaryIsRead() {
        Options options =
                parse(
                        "--tasks",
                        "7",
                        "--carriers",
                        "2",
                        "--latency-ms",
                        "0",
                        "--jdbc-url",
                        "jdbc:h2:mem:x");

        assertThat(options.carriers()).isEqualTo(2);
        assertThat(options.runs())
                .allSatisfy(
                        run -> {
                            assertThat(run.settings().tasks()).isEqualTo(7);
                            assertThat(run.settings().latencyMillis()).isZero();
                            assertThat(run.settings().jdbcUrl()).isEqualTo("jdbc:h2:mem:x");
                        });
    }

    @Test
    void whatIsNotGivenHasTheSizeOfTheCase() {
        DemoCase monitors = Catalogue.caseNamed("monitors");
        Size quick = monitors.size("lock-shared", Size.Scale.QUICK);
        Size full = monitors.size("lock-shared", Size.Scale.FULL);

        assertThat(tasks("monitors", "--variant", "lock-shared")).isEqualTo(quick.tasks());
        assertThat(tasks("monitors", "--variant", "lock-shared", "--full"))
                .isEqualTo(full.tasks())
                .isNotEqualTo(quick.tasks());
    }

    @Test
    void toServeIsToRepeatTheFirstCaseAsItIsOftenWrittenOnJdk21() {
        Options options = parse("--serve");

        assertThat(options.mode()).isEqualTo(Options.Mode.SERVE);
        assertThat(options.runs())
                .map(Run::toString)
                .containsExactly("article-cache, pinned, on JDK 21");
    }

    @Test
    void whatIsServedCanBeChosen() {
        assertThat(parse("--serve", "connection-pool", "--jdk", "25", "--variant", "fixed").runs())
                .map(Run::toString)
                .containsExactly("connection-pool, fixed, on JDK 25");
    }

    @ParameterizedTest
    @CsvSource({"list, LIST", "docs, DOCS", "--help, HELP"})
    void whatIsOnlyReadRunsNothing(String word, Options.Mode mode) {
        Options options = parse(word);

        assertThat(options.mode()).isEqualTo(mode);
        assertThat(options.runs()).isEmpty();
    }

    @Test
    void twoCasesAreOneTooMany() {
        assertThatThrownBy(() -> parse("article-cache", "connection-pool"))
                .isInstanceOf(UsageException.class)
                .hasMessage(
                        "expected one case, all, or list, but got \"article-cache"
                                + " connection-pool\"");
    }

    @ParameterizedTest
    @CsvSource({
        "--jdk=17, '--jdk expects a whole number from 21 to 99, but got \"17\"'",
        "--carriers=0, '--carriers expects a whole number from 1 to 256, but got \"0\"'",
        "--tasks=0, '--tasks expects a whole number from 1 to 1000000, but got \"0\"'",
        "--latency-ms=10001, '--latency-ms expects a whole number from 0 to 10000, but got"
                + " \"10001\"'",
        "--jdbc-url=h2, '--jdbc-url expects something that begins with jdbc:, but got \"h2\"'",
        "--variant=slow, 'unknown variant \"slow\" of article-cache; expected one of pinned, fixed'"
    })
    void aBadValueIsAnsweredWithWhatWasExpected(String argument, String message) {
        assertThatThrownBy(() -> parse(argument))
                .isInstanceOf(UsageException.class)
                .hasMessage(message);
    }

    @Test
    void theHelpNamesEveryOptionAndEveryCase() throws Exception {
        String help = Launcher.help();

        assertThat(help)
                .contains(Options.VALUED)
                .contains(Options.FLAGS)
                .contains(Catalogue.CASES.stream().map(DemoCase::name).toList());
        assertThat(help.lines()).allMatch(line -> line.length() <= 130);
        assertThat(help.replaceAll("\\s+", " "))
                .contains(Catalogue.CASES.stream().map(DemoCase::shows).toList());
    }

    private static int tasks(String... line) {
        return parse(line).runs().get(0).settings().tasks();
    }

    private static Options parse(String... line) {
        return Options.parse(List.of(line));
    }
}
