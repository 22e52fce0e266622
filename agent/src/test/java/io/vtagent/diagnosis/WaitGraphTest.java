package io.vtagent.diagnosis;

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
