package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ContentionCounterTest {
    @Test
    void onceProvedItReportsWhetherItHasRisen() {
        CountedContention counter = new CountedContention("vtagent.test.contended");
        CountedContention another = new CountedContention("vtagent.test.contended2");
        ContentionCounter contended = counter.unproved();
        counter.rise();
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();

        assertThat(contended.proveBy(counter::rise)).isTrue();
        assertThat(contended.soFar()).isEqualTo(2);
        assertThat(contended.mayHaveRisenSince(2)).isFalse();
        another.rise();
        assertThat(contended.mayHaveRisenSince(2)).isFalse();
        counter.rise();
        assertThat(contended.mayHaveRisenSince(2)).isTrue();
    }

    @Test
    void oneThatDoesNotRiseIsNotBelieved() {
        CountedContention counter = new CountedContention("vtagent.test.idle");
        ContentionCounter contended = counter.unproved();
        assertThat(contended.proveBy(() -> {})).isFalse();
        counter.rise();
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();
    }

    @Test
    void whereThereIsNoneEveryThreadMayHaveWaited() {
        ContentionCounter contended = new ContentionCounter("vtagent.test.missing");
        assertThat(contended.proveBy(() -> {})).isFalse();
        assertThat(contended.mayHaveRisenSince(contended.soFar())).isTrue();
    }
}
