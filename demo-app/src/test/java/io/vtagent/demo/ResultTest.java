package io.vtagent.demo;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Locale;
import org.junit.jupiter.api.Test;

class ResultTest {

    private static final Result RESULT = new Result("connection-pool", "pinned", 1_000, 2.5, 990);

    @Test
    void theLineIsJsonBehindAMarker() {
        assertThat(RESULT.line())
                .isEqualTo("RESULT {\"case\":\"connection-pool\",\"variant\":\"pinned\",\"tasks\":1000,"
                        + "\"seconds\":2.500000,\"tasksPerSecond\":400.0,\"waits\":990}");
    }

    @Test
    void whatIsWrittenCanBeRead() {
        assertThat(Result.parse(RESULT.line())).hasValue(RESULT);
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
}
