package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.instrument.Installation;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.pin.Buckets;
import io.vtagent.relief.ReliefFigures;
import io.vtagent.site.FramesOfInterest;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.api.Test;

class OtelMetersExporterTest {
    private final AgentOptions options = AgentOptions.parse(null, new Properties(), Map.of());
    private final Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.SINGLE);
    private final Relief relief = new Relief();
    private final MeasurementSource measurements =
            MeasurementSource.of(
                    ledger,
                    null,
                    null,
                    relief,
                    new Installation(
                            true, true, true, Map.of(), name -> false, () -> 0, () -> 0, List::of),
                    new Sensors(),
                    System.nanoTime());
    private final OtelMetersExporter exporter =
            new OtelMetersExporter(
                    options,
                    new OtelSdk((instruments, values) -> () -> {}, null, ""),
                    measurements);

    OtelMetersExporterTest() throws BadOptionException {}

    /** The last meters that are bound need its figures. */
    private static final class Relief implements ReliefFigures {
        private boolean fails = true;

        @Override
        public boolean isOn() {
            if (fails) {
                throw new OutOfMemoryError("a test's");
            }
            return false;
        }

        @Override
        public long added() {
            return 0;
        }

        @Override
        public long pins() {
            return 0;
        }

        @Override
        public long nanos() {
            return 0;
        }
    }

    @Test
    void metersThatCannotBeBoundAreClosedBeforeTheNextAttempt() throws Exception {
        for (int attempt = 0; attempt < 3; attempt++) {
            assertThatThrownBy(exporter::begin).isInstanceOf(OutOfMemoryError.class);
        }
        assertThat(sinks()).isEmpty();

        relief.fails = false;
        exporter.begin();
        assertThat(sinks()).hasSize(1);
        exporter.end();
        assertThat(sinks()).isEmpty();
    }

    /** Returns the sinks of the ledger, which it gives to nobody. */
    private Map<?, ?> sinks() throws ReflectiveOperationException {
        return (Map<?, ?>) valueOf("sinks", valueOf("collector", ledger));
    }

    private static Object valueOf(String name, Object of) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return field.get(of);
    }
}
