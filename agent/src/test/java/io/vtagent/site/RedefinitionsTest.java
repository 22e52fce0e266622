package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class RedefinitionsTest {
    @BeforeEach
    @AfterEach
    void forget() {
        Redefinitions.forget();
    }

    /** What was read before would otherwise refer to methods that the JVM frees now. */
    @Test
    void aRedefinitionWaitsForTheReadInProgress() throws InterruptedException {
        CountDownLatch begins = new CountDownLatch(1);
        AtomicBoolean ended = new AtomicBoolean();
        AtomicBoolean endedBefore = new AtomicBoolean();
        assertThat(Redefinitions.beginRead()).isTrue();
        Thread redefining =
                Thread.ofPlatform()
                        .daemon()
                        .start(
                                () -> {
                                    begins.countDown();
                                    Redefinitions.begin(Long.MAX_VALUE);
                                    endedBefore.set(ended.get());
                                });
        try {
            begins.await();
            while (!Redefinitions.areRecent()) { // the redefinition waits
                Thread.onSpinWait();
            }
            ended.set(true);
        } finally {
            Redefinitions.endRead();
        }
        redefining.join();

        assertThat(endedBefore).isTrue();
        assertThat(Redefinitions.areRecent()).isTrue();
        assertThat(Redefinitions.beginRead()).isFalse();
    }

    @Test
    void itDoesNotWaitForEver() {
        assertThat(Redefinitions.beginRead()).isTrue();
        try {
            Redefinitions.begin(1);
        } finally {
            Redefinitions.endRead();
        }
    }
}
