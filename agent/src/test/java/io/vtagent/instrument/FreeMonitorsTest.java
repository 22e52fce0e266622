package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.OwnScheduler;
import java.util.concurrent.atomic.AtomicReference;
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
    void areRecognizedOnceAMonitorWasContendedOwnedAndFree() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> free.verifyContended(monitor));
        assertThat(free.verifyFree(monitor, scheduler)).isTrue();
    }

    @Test
    void areNotWithoutAContendedOne() {
        FreeMonitors free = new FreeMonitors();
        contend(() -> {});
        assertThat(free.verifyFree(monitor, scheduler)).isFalse();
    }

    @Test
    void areNotByWhatAnAgentThatWasDetachedHasLeftBehind() {
        FreeMonitors ofDetached = new FreeMonitors();
        contend(() -> ofDetached.verifyContended(monitor));
        assertThat(ofDetached.verifyFree(monitor, scheduler)).isTrue();
        assertThat(isFreeToTheProbe()).isTrue();

        FreeMonitors unproved = new FreeMonitors();
        assertThat(unproved.verifyFree(monitor, scheduler)).isFalse();
        assertThat(isFreeToTheProbe()).isFalse();
    }

    private boolean isFreeToTheProbe() {
        AtomicReference<Object> begun = new AtomicReference<>();
        VtAgentProbe.report(
                new VtAgentProbe() {
                    @Override
                    public Object onEnterBegan(Object entered) {
                        return entered;
                    }
                });
        scheduler.start(() -> begun.set(VtAgentProbe.entering(monitor))).join();
        VtAgentProbe.report(null);
        return begun.get() == null;
    }

    private void contend(Runnable meanwhile) {
        Runnable entering =
                () -> {
                    synchronized (monitor) {
                        Thread.onSpinWait();
                    }
                };
        scheduler.contend(monitor, entering, meanwhile);
    }
}
