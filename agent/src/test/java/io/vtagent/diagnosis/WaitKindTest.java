package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.ThreadGroups.State;
import java.util.AbstractMap;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.AbstractQueuedSynchronizer;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class WaitKindTest {
    private static final StackTraceElement PARK =
            jdk("java.util.concurrent.locks.LockSupport", "park");
    private static final StackTraceElement SLEEP = jdk("java.lang.Thread", "sleep");
    private static final StackTraceElement WAIT = jdk("java.lang.Object", "wait0");
    private static final StackTraceElement SOCKET = jdk("sun.nio.ch.NioSocketImpl", "park");
    private static final StackTraceElement OWN =
            new StackTraceElement("shop.Cart", "total", "Cart.java", 42);

    @Test
    void theStateIsThatOfTheCallOfTheApplication() {
        assertThat(stateOf(PARK, WAIT, OWN)).isEqualTo(State.WAITING);
        assertThat(stateOf(PARK, SLEEP, OWN)).isEqualTo(State.SLEEPING);
        assertThat(stateOf(PARK, OWN, WAIT, SLEEP)).isEqualTo(State.PARKED);
        assertThat(WaitKind.stateOf(Thread.State.BLOCKED, List.of(WAIT))).isEqualTo(State.BLOCKED);
    }

    @Test
    void methodsOfTheSameNamesInOtherClassesAreNoSuchCalls() {
        assertThat(
                        stateOf(
                                jdk("java.lang.Thread", "waitFor"),
                                jdk("java.lang.Object", "sleep"),
                                jdk("sun.nio.ch.EPoll", "wait"),
                                jdk("java.util.concurrent.TimeUnit", "sleep"),
                                jdk("java.lang.Thread", "join"),
                                jdk("java.lang.Object", "hashCode")))
                .isEqualTo(State.PARKED);
    }

    private static State stateOf(StackTraceElement... frames) {
        return WaitKind.stateOf(Thread.State.WAITING, List.of(frames));
    }

    @Test
    void withoutABlockerItIsASocketIfTheJdkHasCalledOne() {
        assertThat(parked(null, PARK, SOCKET, OWN)).isEqualTo("socket");
        assertThat(parked(null, PARK, OWN, SOCKET)).isEqualTo("park");
        assertThat(parked(null, PARK)).isEqualTo("park");
    }

    @Test
    void aBlockerIsNamedByItsOutermostClassIfThatIsItsImplementation() {
        assertThat(parked(new AbstractMap.SimpleEntry<>("", "")))
                .as("of the JDK")
                .isEqualTo("AbstractMap");
        assertThat(parked(new Gate())).as("of the application").isEqualTo("WaitKindTest$Gate");
        assertThat(parked(new Gate.Sync())).as("a synchronizer").isEqualTo("WaitKindTest");
        assertThat(parked(new Semaphore(1))).isEqualTo("Semaphore");
    }

    @Test
    void aConditionIsOfItsLock() {
        assertThat(parked(new ReentrantLock().newCondition()))
                .isEqualTo("condition of ReentrantLock");
    }

    private static String parked(@Nullable Object blocker, StackTraceElement... frames) {
        return WaitKind.of(State.PARKED, blocker, List.of(frames));
    }

    @Test
    void otherWaitsAreKnownByTheirState() {
        assertThat(WaitKind.of(State.BLOCKED, null, List.of())).isEqualTo("monitor");
        assertThat(WaitKind.of(State.WAITING, null, List.of())).isEqualTo("Object.wait");
        assertThat(WaitKind.of(State.SLEEPING, null, List.of())).isEqualTo("sleep");
    }

    @ParameterizedTest
    @EnumSource(names = {"MOUNTED", "QUEUED", "LOST"})
    void aThreadThatDoesNotWaitWaitsForNothing(State state) {
        assertThat(WaitKind.of(state, new Gate(), List.of())).isEmpty();
    }

    @Test
    void theLoopsOfPollersAreNotTheThreadsThatWaitForSockets() {
        assertThat(WaitKind.isPollerLoop("java.base/sun.nio.ch.Poller.subPollerLoop(Poller.java)"))
                .isTrue();
        assertThat(WaitKind.isPollerLoop("java.base/sun.nio.ch.Poller.poll(Poller.java)"))
                .isFalse();
        assertThat(WaitKind.isPollerLoop("shop.EventLoop.runLoop(EventLoop.java)")).isFalse();
    }

    private static StackTraceElement jdk(String type, String method) {
        return new StackTraceElement(null, "java.base", null, type, method, "Source.java", 1);
    }

    private static final class Gate {
        private static final class Sync extends AbstractQueuedSynchronizer {
            private static final long serialVersionUID = 1;
        }
    }
}
