package io.vtagent.vm;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class LocksTest {
    @Test
    void whoeverAsksAgainAndAgainWhoHasAMonitorSendsOneThreadToWaitForIt() {
        Object monitor = new Object();
        synchronized (monitor) {
            for (int i = 0; i < 20; i++) {
                assertThat(Locks.ofMonitor(monitor)).isNotNull().satisfies(blocked -> {
                    assertThat(blocked.ownerId())
                            .isEqualTo(Thread.currentThread().threadId());
                    assertThat(blocked.owner()).isEqualTo(Thread.currentThread().getName());
                    assertThat(blocked.name()).isEqualTo(Locks.nameOf(monitor));
                });
            }
            assertThat(waiting()).isEqualTo(1);
        }
        awaitNobodyWaits();
    }

    @Test
    void noMoreThanEightWait() {
        List<Object> monitors = new ArrayList<>();
        askForAll(monitors, 12);
        awaitNobodyWaits();
    }

    /** Holds one monitor more at each step. */
    private static void askForAll(List<Object> monitors, int left) {
        if (left == 0) {
            assertThat(monitors)
                    .filteredOn(monitor -> Locks.ofMonitor(monitor) != null)
                    .hasSize(8);
            assertThat(waiting()).isEqualTo(8);
            return;
        }
        Object monitor = new Object();
        monitors.add(monitor);
        synchronized (monitor) {
            askForAll(monitors, left - 1);
        }
    }

    @Test
    void ofAMonitorThatIsFreeNobodyIsTold() {
        assertThat(Locks.ofMonitor(new Object())).isNull();
        awaitNobodyWaits();
    }

    private static void awaitNobodyWaits() {
        while (waiting() > 0) {
            Thread.onSpinWait();
        }
    }

    private static long waiting() {
        return Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().equals("vt-agent-owner"))
                .count();
    }
}
