package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
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
                                    Redefinitions.begin(TimeUnit.MINUTES.toNanos(1));
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

    @Test
    void aReadThatMustNotBeginIsNotWaitedFor() {
        Redefinitions.begin(1);
        while (Redefinitions.beginRead()) { // the quiet time has ended meanwhile
            Redefinitions.endRead();
            Redefinitions.begin(1);
        }

        assertThat(CompletableFuture.runAsync(() -> Redefinitions.begin(Long.MAX_VALUE)))
                .succeedsWithin(Duration.ofMinutes(1));
    }

    @Test
    void theEndOfTheQuietTimeIsAwaited() {
        Redefinitions.begin(1);
        Redefinitions.awaitQuiet(TimeUnit.MINUTES.toNanos(1));

        assertThat(Redefinitions.areRecent()).isFalse();
    }
}
