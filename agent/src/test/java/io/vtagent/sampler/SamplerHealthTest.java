package io.vtagent.sampler;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.Sensors;
import org.junit.jupiter.api.Test;

/** A sensor that twenty failures in a row bring down. */
class SamplerHealthTest {
    private final Sensors sensors = new Sensors();
    private int downs;
    private boolean cannotEnd;
    private final SamplerHealth health = new SamplerHealth("native", sensors, this::onDown);

    private void onDown() {
        if (cannotEnd) {
            throw new IllegalStateException("no memory");
        }
        downs++;
    }

    @Test
    void theLastOfTwentyFailuresBringsItDownOnceAndIsItsReason() {
        assertThat(sensors.isUp("native")).isTrue();
        fail(19);
        assertThat(sensors.isUp("native")).isTrue();
        assertThat(downs).isZero();

        fail(1);
        assertThat(sensors.failures())
                .containsEntry("native", "java.lang.IllegalStateException: cannot");
        fail(30);
        assertThat(downs).isEqualTo(1);
    }

    @Test
    void aSampleInBetweenStartsTheCountAnew() {
        fail(19);
        health.onSuccess();
        fail(19);
        assertThat(sensors.isUp("native")).isTrue();
        fail(1);
        assertThat(sensors.isUp("native")).isFalse();
    }

    @Test
    void aSampleBringsItUpAgain() {
        fail(20);
        health.onSuccess();
        assertThat(sensors.isUp("native")).isTrue();
        fail(20);
        assertThat(sensors.isUp("native")).isFalse();
        assertThat(downs).isEqualTo(2);
    }

    @Test
    void aSampleDoesNotBringUpWhatSomethingElseHasBroughtDown() {
        sensors.put("native", "something else");
        fail(19);
        health.onSuccess();
        assertThat(sensors.isUp("native")).isFalse();
    }

    @Test
    void withoutAThreadItIsDownAtOnce() {
        health.onThreadFailure(new IllegalStateException("no thread"));
        assertThat(sensors.failures())
                .containsEntry("native", "java.lang.IllegalStateException: no thread");
        health.onThreadFailure(new IllegalStateException("still none"));
        assertThat(downs).isEqualTo(1);
    }

    @Test
    void ifItCannotBeBroughtDownTheNextFailureTriesAgain() {
        cannotEnd = true;
        fail(20);
        assertThat(sensors.isUp("native")).isTrue();
        cannotEnd = false;
        fail(1);
        assertThat(sensors.isUp("native")).isFalse();
        assertThat(downs).isEqualTo(1);
    }

    @Test
    void aSamplerThatIsNoSensorEndsAsWell() {
        SamplerHealth ofNone = new SamplerHealth("native", null, this::onDown);
        for (int i = 0; i < 20; i++) {
            ofNone.add(new IllegalStateException("cannot"));
        }
        assertThat(downs).isEqualTo(1);
        ofNone.onSuccess();
        assertThat(sensors.isUp("native")).isTrue();
    }

    private void fail(int times) {
        for (int i = 0; i < times; i++) {
            health.add(new IllegalStateException("cannot"));
        }
    }
}
