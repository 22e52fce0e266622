package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.vm.OwnScheduler;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class FreeMonitorsTest {
    private final Object monitor = new Object();
    private final OwnScheduler scheduler = new OwnScheduler();

    @AfterEach
    void forget() {
        scheduler.close();
        VtAgentProbe.monitorFields(0, 0);
    }

    @Test
    void areToldOnceAMonitorWasSeenContendedOwnedAndFree() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> free.lookWhileContended(monitor));
        assertThat(free.areTold(monitor, scheduler)).isTrue();
    }

    @Test
    void areNotWithoutAContendedOne() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> {});
        assertThat(free.areTold(monitor, scheduler)).isFalse();
    }

    private void contend(Runnable meanwhile) {
        Runnable entering = () -> {
            synchronized (monitor) {
                Thread.onSpinWait();
            }
        };
        scheduler.contend(monitor, entering, meanwhile);
    }
}
