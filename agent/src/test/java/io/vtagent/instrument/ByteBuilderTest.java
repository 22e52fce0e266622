package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class ByteBuilderTest {
    @Test
    void thereIsRoomForHoweverMuchComesAtATime() {
        byte[] many = new byte[1_000];
        for (int i = 0; i < many.length; i++) {
            many[i] = (byte) i;
        }
        ByteBuilder builder = new ByteBuilder(1).copy(many, 0, many.length);
        assertThat(builder.toArray()).isEqualTo(many);
        assertThat(builder.size()).isEqualTo(many.length);
    }
}
