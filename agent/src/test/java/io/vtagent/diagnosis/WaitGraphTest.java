package io.vtagent.diagnosis;

import static java.lang.Thread.State.BLOCKED;
import static java.lang.Thread.State.WAITING;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.WaitGraph.Node;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Threads in recorded states. */
class WaitGraphTest {
    private static final ThreadLabel INIT = new ThreadLabel(1, "\"init\" #1", "init");
    private static final ThreadLabel OWNER = new ThreadLabel(2, "\"owner\" #2", "owner");
    private static final ThreadLabel OTHER = new ThreadLabel(3, "\"other\" #3", "other");

    @Test
    void aClassInitializerAndAMonitorThatNeedEachOtherAreACycle() {
        Node init = waiting(INIT, monitor(OWNER));
        Node owner = waiting(OWNER, initializer("Cart", INIT));
        Node other = waiting(OTHER, initializer("Cart", INIT));
        WaitGraph graph = new WaitGraph(List.of(init, owner, other));

        assertThat(graph.cycleFrom(1)).containsExactly(init, owner);
        assertThat(graph.cycleFrom(2)).containsExactly(owner, init);
        assertThat(graph.cycleFrom(3))
                .as("which waits for one of them")
                .containsExactly(init, owner);
    }

    @Test
    void initializersThatNeedEachOtherAreACycleWhateverElseRunsAnInitializer() {
        Node init = waiting(INIT, initializer("Cart", OWNER));
        Node owner = waiting(OWNER, initializer("Db", INIT));
        Node running = new Node(OTHER, false, null);

        assertThat(new WaitGraph(List.of(running, init, owner)).cycleFrom(1))
                .containsExactly(init, owner);
    }

    @Test
    void initializersThatBothWaitForAMonitorOfAThirdThreadAreNone() {
        WaitGraph graph =
                new WaitGraph(
                        List.of(
                                waiting(INIT, monitor(OTHER)),
                                waiting(OWNER, monitor(OTHER)),
                                new Node(OTHER, false, null)));

        assertThat(graph.cycleFrom(1)).isEmpty();
        assertThat(graph.cycleFrom(2)).isEmpty();
    }

    /** They take turns at the monitor, so that each reading may find them in either role. */
    @Test
    void whatDoesNotFitTheCarriersInBetweenIsNotKnown() {
        Thread first = Thread.ofVirtual().name("first").unstarted(() -> {});
        Thread second = Thread.ofVirtual().name("second").unstarted(() -> {});
        Node waiter = waiting(ThreadLabel.of(first), monitor(ThreadLabel.of(second)));
        Node owner = new Node(ThreadLabel.of(second), false, null);
        WaitGraph graph = new WaitGraph(List.of(waiter, owner));

        assertThat(graph.fitting(List.of(held(first, BLOCKED), held(second, WAITING))).nodes())
                .as("fits")
                .containsExactly(waiter, owner);
        assertThat(graph.fitting(List.of(held(first, WAITING), held(second, BLOCKED))).nodes())
                .as("it does not enter")
                .containsExactly(new Node(ThreadLabel.of(first), false, null), owner);
        assertThat(graph.fitting(List.of(held(first, BLOCKED), held(second, BLOCKED))).nodes())
                .as("both enter")
                .containsExactly(waiting(ThreadLabel.of(first), monitor(null)), owner);
        assertThat(graph.fitting(List.of()).nodes())
                .as("not on carriers")
                .containsExactly(waiter, owner);
    }

    @Test
    void anOwnerThatEntersAnotherMonitorFits() {
        Thread first = Thread.ofVirtual().name("first").unstarted(() -> {});
        Thread second = Thread.ofVirtual().name("second").unstarted(() -> {});
        List<HeldCarrier> held = List.of(held(first, BLOCKED), held(second, BLOCKED));
        Node waiter = waiting(ThreadLabel.of(first), monitor(ThreadLabel.of(second)));
        Node owner =
                waiting(
                        ThreadLabel.of(second),
                        new Wait(Wait.Kind.MONITOR, "Object@7", ThreadLabel.of(first), null));

        assertThat(new WaitGraph(List.of(waiter, owner)).fitting(held).cycleFrom(first.threadId()))
                .containsExactly(waiter, owner);
    }

    private static HeldCarrier held(Thread thread, Thread.State state) {
        return new HeldCarrier(Thread.currentThread(), thread, state, null, List.of());
    }

    @Test
    void whereNobodyKnowsTheOwnerThereIsNoCycle() {
        WaitGraph graph =
                new WaitGraph(
                        List.of(
                                waiting(INIT, monitor(null)),
                                waiting(OWNER, initializer("Cart", INIT))));

        assertThat(graph.cycleFrom(2)).isEmpty();
        assertThat(graph.chainFrom(2)).extracting(Node::who).containsExactly(OWNER, INIT);
    }

    @Test
    void aLockThatIsFreeClosesNoCycle() {
        Wait free = new Wait(Wait.Kind.LOCK, "ReentrantLock@1", null, OWNER);

        assertThat(
                        new WaitGraph(List.of(waiting(INIT, free), waiting(OWNER, monitor(INIT))))
                                .cycleFrom(1))
                .isEmpty();
    }

    @Test
    void aCycleThatATimeLimitEndsIsNone() {
        Wait timed = new Wait(Wait.Kind.LOCK, "ReentrantLock@1", OWNER, null, true);
        Node init = waiting(INIT, timed);
        Node owner = waiting(OWNER, monitor(INIT));
        WaitGraph graph = new WaitGraph(List.of(init, owner, waiting(OTHER, monitor(OWNER))));

        assertThat(graph.cycleFrom(1)).isEmpty();
        assertThat(graph.cycleFrom(3)).isEmpty();
        assertThat(graph.timedCycleFrom(3)).containsExactly(owner, init);
    }

    @Test
    void aThreadThatNeedsItselfHasJustGotIt() {
        assertThat(new WaitGraph(List.of(waiting(INIT, monitor(INIT)))).cycleFrom(1)).isEmpty();
    }

    @Test
    void theChainLeadsToTheThreadThatCouldRun() {
        Wait free = new Wait(Wait.Kind.LOCK, "ReentrantLock@1", null, OTHER);
        WaitGraph graph =
                new WaitGraph(
                        List.of(
                                waiting(INIT, monitor(OWNER)),
                                waiting(OWNER, free),
                                new Node(OTHER, true, null)));

        assertThat(graph.chainFrom(1)).extracting(Node::who).containsExactly(INIT, OWNER, OTHER);
        assertThat(graph.chainFrom(1).getLast().ready()).isTrue();
    }

    @Test
    void whatHasChangedBetweenTwoReadingsIsNotBelieved() {
        Node init = waiting(INIT, monitor(OWNER));
        Node owner = waiting(OWNER, initializer("Cart", INIT));
        WaitGraph first = new WaitGraph(List.of(init, owner));

        assertThat(first.confirmedBy(new WaitGraph(List.of(init, owner))).cycleFrom(1)).hasSize(2);
        assertThat(
                        first.confirmedBy(
                                        new WaitGraph(List.of(init, new Node(OWNER, false, null))))
                                .cycleFrom(1))
                .isEmpty();
        assertThat(first.confirmedBy(new WaitGraph(List.of(init))).nodes()).containsExactly(init);
    }

    private static Node waiting(ThreadLabel who, Wait wait) {
        return new Node(who, false, wait);
    }

    private static Wait monitor(@Nullable ThreadLabel owner) {
        return new Wait(Wait.Kind.MONITOR, "Object@1", owner, null);
    }

    private static Wait initializer(String type, ThreadLabel by) {
        return new Wait(Wait.Kind.CLASS, type, by, null);
    }
}
