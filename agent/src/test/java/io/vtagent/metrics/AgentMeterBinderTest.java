package io.vtagent.metrics;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.core.instrument.MeterRegistry;
import java.util.List;
import org.junit.jupiter.api.Test;

final class AgentMeterBinderTest {
    private static final class Closing implements AgentMeterBinder {
        private boolean closed;

        @Override
        public void bindTo(MeterRegistry registry) {}

        @Override
        public void close() {
            closed = true;
        }
    }

    private final Closing meters = new Closing();

    @Test
    void whereTheRegistryCannotBeMadeTheyAreClosed() {
        assertThatThrownBy(
                        () ->
                                meters.orClosed(
                                        () -> {
                                            throw new OutOfMemoryError("a test's");
                                        }))
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(meters.closed).isTrue();
    }

    @Test
    void ofSeveralAllAreClosedThoughOneCannotBe() {
        AgentMeterBinder failing =
                new AgentMeterBinder() {
                    @Override
                    public void bindTo(MeterRegistry registry) {}

                    @Override
                    public void close() {
                        throw new OutOfMemoryError("a test's");
                    }
                };
        assertThatThrownBy(new AllMeters(List.of(failing, meters))::close)
                .isInstanceOf(OutOfMemoryError.class);
        assertThat(meters.closed).isTrue();
    }

    @Test
    void whereItCanTheyAreOpen() {
        assertThat(meters.orClosed(() -> "made")).isEqualTo("made");
        assertThat(meters.closed).isFalse();
    }
}
