package io.vtagent.demo.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ArgumentsTest {

    @Test
    void wordsAndOptionsMayComeInAnyOrder() {
        Arguments arguments = parse("--tasks", "5", "run", "--serve", "article-cache");

        assertThat(arguments.words()).containsExactly("run", "article-cache");
        assertThat(arguments.values()).containsOnly(Map.entry("--tasks", "5"));
        assertThat(arguments.flags()).containsExactly("--serve");
    }

    @Test
    void aValueMayFollowAnEqualsSignAndHoldOne() {
        assertThat(parse("--url=jdbc:x?user=me").values()).containsEntry("--url", "jdbc:x?user=me");
    }

    @Test
    void anUnknownOptionIsAnsweredWithThoseThatThereAre() {
        assertThatThrownBy(() -> parse("--task", "5"))
                .isInstanceOf(UsageException.class)
                .hasMessage("unknown option \"--task\"; expected one of --serve, --tasks, --url");
    }

    @Test
    void aFlagTakesNoValue() {
        assertThatThrownBy(() -> parse("--serve=yes"))
                .hasMessageStartingWith("unknown option \"--serve=yes\"");
    }

    @Test
    void anOptionAtTheEndOfTheLineHasNoValue() {
        assertThatThrownBy(() -> parse("--tasks"))
                .hasMessage("--tasks expects a value, but got none");
    }

    @Test
    void anOptionIsNotTheValueOfAnother() {
        assertThatThrownBy(() -> parse("--tasks", "--serve"))
                .hasMessage("--tasks expects a value, but got \"--serve\"");
    }

    @ParameterizedTest
    @ValueSource(strings = {"0", "11", "-1", "x", "1.5", "99999999999"})
    void aNumberOutOfRangeIsAnsweredWithTheRange(String value) {
        assertThatThrownBy(() -> parse("--tasks=" + value).number("--tasks", 1, 10, 5))
                .isInstanceOf(UsageException.class)
                .hasMessage("--tasks expects a whole number from 1 to 10, but got \"%s\"", value);
    }

    @Test
    void theEndsOfARangeBelongToIt() {
        assertThat(parse("--tasks", "1").number("--tasks", 1, 10, 5)).isEqualTo(1);
        assertThat(parse("--tasks", "10").number("--tasks", 1, 10, 5)).isEqualTo(10);
    }

    @Test
    void whatIsNotGivenHasItsDefault() {
        assertThat(parse().number("--tasks", 1, 10, 5)).isEqualTo(5);
        assertThat(parse().text("--url", "jdbc:", "jdbc:x")).isEqualTo("jdbc:x");
    }

    @Test
    void aTextThatBeginsOtherwiseIsAnsweredWithWhatWasExpected() {
        assertThatThrownBy(() -> parse("--url", "http://x").text("--url", "jdbc:", "jdbc:x"))
                .hasMessage("--url expects something that begins with jdbc:, but got \"http://x\"");
    }

    private static Arguments parse(String... line) {
        return Arguments.parse(List.of(line), Set.of("--tasks", "--url"), Set.of("--serve"));
    }
}
