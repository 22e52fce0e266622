package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.ledger.VmPinRecorder;
import io.vtagent.pin.Buckets;
import io.vtagent.site.FramesOfInterest;
import jdk.jfr.FlightRecorder;
import org.junit.jupiter.api.Test;

class JfrSensorTest {
    private static final FramesOfInterest FRAMES = new FramesOfInterest(8);

    private final Ledger ledger = new Ledger(true, Long.MAX_VALUE, FRAMES, 10, Buckets.SINGLE);
    private final Sensors sensors = new Sensors();

    @Test
    void aSensorWhoseEventsCannotBeProvedRecordsNothingAndExpectsNoEvents() {
        JfrSensor sensor =
                new JfrSensor(
                        sensors,
                        new VmPinRecorder(ledger, className -> false),
                        new JfrReconciler(ledger),
                        FRAMES,
                        false,
                        0);
        assertThat(sensor.mayArrive()).isTrue();

        sensor.start();

        assertThat(sensor.state()).isEqualTo(JfrSensor.State.DOWN);
        assertThat(sensor.mayArrive()).isFalse();
        assertThat(sensors.failures().get(JfrSensor.LABEL))
                .contains("no event of a contended monitor");
        await().until(
                        () ->
                                FlightRecorder.getFlightRecorder().getRecordings().stream()
                                        .noneMatch(
                                                recording ->
                                                        recording.getName().equals("vt-agent")));
    }
}
