package io.vtagent.demo.model;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static final Result RESULT =
            Result.ofTasks(1_000, 2.5).with("waits", 990).note("It said \"enough\".");

    @Test
    void theLineIsJsonBehindAMarker() {
        assertThat(Result.ofTasks(1_000, 2.5).line())
                .isEqualTo("RESULT {\"figures\":{\"tasks/s\":400},\"notes\":[]}");
    }

    @Test
    void whatIsWrittenCanBeRead() {
        assertThat(Result.parse(RESULT.line())).hasValue(RESULT);
    }

    @Test
    void theFiguresKeepTheirOrder() {
        assertThat(Result.parse(RESULT.with("a", 1).line()).orElseThrow().figures().keySet())
                .containsExactly("tasks/s", "waits", "a");
    }

    @Test
    void theLineIsTheSameInALocaleWithACommaForThePoint() {
        Locale before = Locale.getDefault();
        try {
            Locale.setDefault(Locale.GERMANY);
            assertThat(Result.parse(RESULT.line())).hasValue(RESULT);
        } finally {
            Locale.setDefault(before);
        }
    }

    @Test
    void anyOtherLineIsNoResult() {
        assertThat(Result.parse("RESULT of something else")).isEmpty();
        assertThat(Result.parse("")).isEmpty();
    }

    @Test
    void aFigureThatIsNotThereIsNotTakenForZero() {
        assertThatThrownBy(() -> RESULT.figure("seconds")).hasMessageContaining("no \"seconds\"");
    }
}
