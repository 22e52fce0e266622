package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class WaitTest {
    private static final ThreadLabel OWNER = new ThreadLabel(1, "\"owner\" #1", "owner");
    private static final ThreadLabel NEXT = new ThreadLabel(2, "\"next\" #2", "next");

    @ParameterizedTest
    @CsvSource({
        "LOCK, Lock@1, `Lock@1`, has",
        "MONITOR, Lock@1, `Lock@1`, has",
        "CLASS, the initializer of Lock@1, class `Lock@1`, initializes",
        "TASK, Lock@1, `Lock@1`, runs",
        "SIGNAL, Lock@1, a signal of `Lock@1`, has"
    })
    void eachKindHasItsWords(Wait.Kind kind, String object, String quoted, String verb) {
        Wait wait = wait(kind, OWNER, null);

        assertThat(wait.object()).isEqualTo(object);
        assertThat(wait.quoted()).isEqualTo(quoted);
        assertThat(wait.ownerVerb()).isEqualTo(verb);
    }

    @Test
    void theOwnerIsNeededOrTheThreadThatGetsItNext() {
        assertThat(wait(Wait.Kind.LOCK, OWNER, NEXT).needed()).isEqualTo(OWNER);
        assertThat(wait(Wait.Kind.LOCK, null, NEXT).needed()).isEqualTo(NEXT);
        assertThat(wait(Wait.Kind.LOCK, null, NEXT).ownerVerb())
                .isEqualTo("is the first to wait for");
        assertThat(wait(Wait.Kind.LOCK, null, null).needed()).isNull();
    }

    private static Wait wait(
            Wait.Kind kind, @Nullable ThreadLabel owner, @Nullable ThreadLabel next) {
        return new Wait(kind, "Lock@1", owner, next);
    }
}
