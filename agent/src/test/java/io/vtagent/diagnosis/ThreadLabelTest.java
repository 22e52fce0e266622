package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ThreadLabelTest {
    @Test
    void aNameIsQuotedWithTheId() {
        Thread thread = Thread.ofVirtual().name("order-7").unstarted(() -> {});
        long id = thread.threadId();

        assertThat(ThreadLabel.of(thread))
                .isEqualTo(new ThreadLabel(id, "\"order-7\" #" + id, "order-7"));
    }

    @Test
    void aThreadWithoutANameIsKnownByItsKindAndItsId() {
        Thread virtual = Thread.ofVirtual().unstarted(() -> {});
        Thread platform = Thread.ofPlatform().name("").unstarted(() -> {});

        assertThat(ThreadLabel.of(virtual))
                .isEqualTo(
                        new ThreadLabel(
                                virtual.threadId(),
                                "#" + virtual.threadId(),
                                "virtual thread #" + virtual.threadId()));
        assertThat(ThreadLabel.of(platform).shortLabel())
                .isEqualTo("platform thread #" + platform.threadId());
        assertThat(ThreadLabel.ofThread(9)).isEqualTo(new ThreadLabel(9, "thread #9", "thread #9"));
    }
}
