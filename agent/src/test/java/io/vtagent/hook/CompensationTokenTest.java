package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class CompensationTokenTest {
    private final CompensationToken relief = new CompensationToken();

    @Test
    void isTakenOnce() {
        assertThat(relief.take(relief.number())).isEqualTo(CarrierCompensator.NOTHING);
        relief.begun(CarrierCompensator.NOTHING);
        assertThat(relief.isToBeReleased()).isFalse();
        relief.begun(-1);
        assertThat(relief.isToBeReleased()).isTrue();
        assertThat(relief.isCompensated()).isFalse();
        assertThat(relief.isRefused()).isTrue();
        assertThat(relief.take(relief.number())).isEqualTo(-1);
        assertThat(relief.isRefused()).isFalse();
        assertThat(relief.take(relief.number())).isEqualTo(CarrierCompensator.NOTHING);
    }

    /**
     * The sampler reads the token, and then the thread. In between, that pin may end and another
     * one begin.
     */
    @Test
    void isNotTakenInPlaceOfTheOneBeforeThatWasLost() {
        relief.begun(7);
        long lost = relief.number();
        assertThat(relief.take(relief.number())).isEqualTo(7);
        relief.begun(7);

        assertThat(relief.take(lost)).isEqualTo(CarrierCompensator.NOTHING);
        assertThat(relief.isCompensated()).isTrue();
        assertThat(relief.isRefused()).isFalse();
        assertThat(relief.take(relief.number())).isEqualTo(7);
    }
}
