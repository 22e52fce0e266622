package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class RedefinitionsTest {
    private static final long SECOND = 1_000_000_000;

    @BeforeEach
    @AfterEach
    void forget() {
        Redefinitions.forget();
    }

    /** What was read before would otherwise refer to methods that the JVM frees now. */
    @Test
    void aRedefinitionWaitsForTheReadInProgress() throws InterruptedException {
        AtomicBoolean redefines = new AtomicBoolean();
        assertThat(Redefinitions.beginRead()).isTrue();
        Thread redefining =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    Redefinitions.begin(Long.MAX_VALUE);
                                    redefines.set(true);
                                });
        await().until(Redefinitions::areRecent);

        assertThat(redefines).isFalse();
        assertThat(Redefinitions.beginRead()).isFalse();
        assertThat(redefines).isFalse();

        Redefinitions.endRead();
        redefining.join();
        assertThat(redefines).isTrue();
    }

    @Test
    void itDoesNotWaitForEver() {
        assertThat(Redefinitions.beginRead()).isTrue();
        Redefinitions.begin(1);
        Redefinitions.endRead();
    }

    @Test
    void stacksStayUnreadForAsLongAsTheRedefinitionsHaveLasted() {
        assertThat(Redefinitions.quietNanos(0)).isEqualTo(SECOND);
        assertThat(Redefinitions.quietNanos(20 * SECOND)).isEqualTo(20 * SECOND);
        assertThat(Redefinitions.quietNanos(3_600 * SECOND)).isEqualTo(60 * SECOND);
    }
}
