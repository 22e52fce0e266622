package io.vtagent.hotspot;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.jvm.VmStructs;
import io.vtagent.probe.VtAgentProbe;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Supplier;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Fields of an inflated monitor, read here and in the probe. */
class MonitorFieldsTest {
    private final MonitorFields fields =
            Objects.requireNonNull(MonitorFields.find(VtAgentProbe.MAX_BYTES));
    private final Object monitor = new Object();

    @BeforeEach
    void inflate() throws InterruptedException {
        whileContended(() -> true); // after which it stays inflated for a while
        VtAgentProbe.report(
                new VtAgentProbe() {
                    @Override
                    public Object onEnterBegan(Object entered) {
                        return entered;
                    }
                });
    }

    @AfterEach
    void forget() {
        VtAgentProbe.report(null);
        VtAgentProbe.monitorFields(0, 0);
    }

    @Test
    void onlyAMonitorThatIsWaitedForIsContended() throws InterruptedException {
        assertThat(whileContended(() -> fields.isContended(monitor))).isTrue();
        synchronized (monitor) {
            assertThat(fields.isContended(monitor)).isFalse();
        }
        Object plain = new Object();
        synchronized (plain) {
            assertThat(fields.isContended(plain)).isFalse();
        }
    }

    @Test
    void fieldsAreSearchedInALimitedNumberOfBytes() {
        long largest = Math.max(fields.owner(), fields.contentions());
        assertThat(MonitorFields.find(largest + 1)).isEqualTo(fields);
        assertThat(MonitorFields.find(largest)).isNull();
    }

    @Test
    void onlyAnInflatedMonitorThatNobodyHasOrWaitsForIsFree() throws InterruptedException {
        assertThat(isFree(monitor)).isTrue();
        assertThat(whileContended(() -> isFree(monitor))).isFalse();
        synchronized (monitor) {
            assertThat(isFree(monitor)).isFalse();
        }
        Object plain = new Object();
        assertThat(isFree(plain)).isFalse();
        synchronized (plain) {
            assertThat(isFree(plain)).isFalse();
        }
    }

    /** The probe is public: for any argument, it reads only memory in a monitor, or near it. */
    @Test
    void noOtherMemoryIsReadWhateverIsAskedFor() {
        long far = 1L << 62;
        assertThat(VtAgentProbe.isFree(monitor, fields.owner() + far, fields.contentions() - far))
                .isTrue();
        assertThat(VtAgentProbe.isFree(new Object(), far, -far)).isFalse();
    }

    private boolean isFree(Object asked) {
        return VtAgentProbe.isFree(asked, fields.owner(), fields.contentions());
    }

    @Test
    void aTypeOrAFieldThatTheJvmDoesNotNameIsNowhere() {
        assertThat(VmStructs.offsetOf("ObjectMonitors", "_owner")).isEqualTo(VmStructs.NOWHERE);
        assertThat(VmStructs.offsetOf("ObjectMonitor", "_own")).isEqualTo(VmStructs.NOWHERE);
    }

    @Test
    void theProbeReportsAnInflatedMonitorUntilItKnowsTheFields() throws InterruptedException {
        assertThat(isReported()).isTrue();
        VtAgentProbe.monitorFields(fields.owner(), fields.contentions());
        assertThat(isReported()).isFalse();
    }

    @Test
    void theProbeReportsAnOwnedOne() throws InterruptedException {
        VtAgentProbe.monitorFields(fields.owner(), fields.contentions());
        synchronized (monitor) {
            assertThat(isReported()).isTrue();
        }
    }

    /**
     * By a field in the owner's place that is 0: when a monitor is waited for and not owned cannot
     * be chosen.
     */
    @Test
    void theProbeReportsOneThatIsWaitedForThoughItHasNoOwner() throws InterruptedException {
        VtAgentProbe.monitorFields(
                VmStructs.offsetOf("ObjectMonitor", "_recursions"), fields.contentions());
        synchronized (monitor) {
            assertThat(isReported()).isFalse();
        }
        assertThat(whileContended(this::isReported)).isTrue();
    }

    /** Returns whether the probe reports that a virtual thread is about to enter the monitor. */
    private boolean isReported() {
        AtomicReference<Object> begun = new AtomicReference<>();
        Thread thread = Thread.ofVirtual().start(() -> begun.set(VtAgentProbe.entering(monitor)));
        try {
            thread.join();
        } catch (InterruptedException nobodyDoes) {
            throw new IllegalStateException(nobodyDoes);
        }
        return begun.get() == monitor;
    }

    private boolean whileContended(Supplier<Boolean> asked) throws InterruptedException {
        Thread waiting;
        boolean answer;
        synchronized (monitor) {
            waiting =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        synchronized (monitor) {
                                            Thread.onSpinWait();
                                        }
                                    });
            while (waiting.getState() != Thread.State.BLOCKED) {
                Thread.onSpinWait();
            }
            answer = asked.get();
        }
        waiting.join();
        return answer;
    }
}
