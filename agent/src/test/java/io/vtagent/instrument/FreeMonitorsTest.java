package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.vm.OwnScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreeMonitorsTest {
    private final Object monitor = new Object();

    @AfterEach
    void forget() {
        VtAgentProbe.monitorFields(0, 0);
    }

    @Test
    void areToldOnceAMonitorWasSeenContendedAndFree() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> free.lookWhileContended(monitor));
        assertThat(free.lookWhileFree(monitor)).isTrue();
    }

    @Test
    void areNotWithoutAContendedOne() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> {});
        assertThat(free.lookWhileFree(monitor)).isFalse();
    }

    @Test
    void areNotByOneThatIsOwnedStill() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> free.lookWhileContended(monitor));
        synchronized (monitor) {
            assertThat(free.lookWhileFree(monitor)).isFalse();
        }
    }

    private void contend(Runnable meanwhile) {
        try (OwnScheduler scheduler = new OwnScheduler()) {
            Runnable entering = () -> {
                synchronized (monitor) {
                    Thread.onSpinWait();
                }
            };
            scheduler.contend(monitor, entering, meanwhile);
        }
    }
}
