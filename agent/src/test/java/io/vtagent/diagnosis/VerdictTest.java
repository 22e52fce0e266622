package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.WaitGraph.Node;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Carriers and threads in recorded states. */
class VerdictTest {
    private static final StackTraceElement POLLER =
            new StackTraceElement("sun.nio.ch.Poller", "poll", "Poller.java", 9);
    private static final StackTraceElement QUERY =
            new StackTraceElement("shop.Db", "query", "Db.java", 7);
    private static final StackTraceElement PARK =
            new StackTraceElement(
                    null,
                    "java.base",
                    null,
                    "java.util.concurrent.CountDownLatch",
                    "await",
                    "CountDownLatch.java",
                    230);
    private static final Thread ANY = Thread.ofVirtual().name("any").unstarted(() -> {});
    private static final String UNKNOWN =
            " and are pinned by something that the agent did not record.";
    private static final String UNKNOWN_OF_ONE = UNKNOWN.replace("are", "is");

    private final List<Node> nodes = new ArrayList<>();

    @Test
    void aCycleIsADeadlockOfWhichEachThreadIsReported() {
        HeldCarrier init = held(QUERY);
        HeldCarrier owner = held(QUERY);
        HeldCarrier behind = held(QUERY);
        HeldCarrier other = held(QUERY);
        waits(init, new Wait(Wait.Kind.MONITOR, "Object@1", who(owner, "owner"), null), "init");
        waits(owner, new Wait(Wait.Kind.CLASS, "shop.Cart", who(init, "init"), null), "owner");
        waits(behind, new Wait(Wait.Kind.CLASS, "shop.Cart", who(init, "init"), null), "behind");
        Verdict verdict = verdict(0, init, owner, behind, other);

        assertThat(verdict.text())
                .isEqualTo(
                        "Deadlock: `init` waits for `Object@1`, which `owner` has. `owner` waits"
                            + " for class `shop.Cart`, which `init` initializes. 3 of 4 carriers"
                            + " are held by these threads and by threads that wait for them.");
        assertThat(verdict.deadlock())
                .extracting(Node::who)
                .containsExactly(who(init, "init"), who(owner, "owner"));
        assertThat(verdict.isDeadlockAlone()).as("one more is held").isFalse();
        assertThat(verdict(0, init, owner, behind).isDeadlockAlone()).isTrue();
    }

    @Test
    void threadsThatWaitForEachOtherWithATimeLimitAreNoDeadlock() {
        HeldCarrier first = held(QUERY);
        HeldCarrier second = held(QUERY);
        waits(
                first,
                new Wait(Wait.Kind.LOCK, "ReentrantLock@1", who(second, "second"), null, true),
                "first");
        waits(second, new Wait(Wait.Kind.MONITOR, "Object@1", who(first, "first"), null), "second");
        Verdict verdict = verdict(0, first, second);

        assertThat(verdict.deadlock()).isEmpty();
        assertThat(verdict.text())
                .startsWith("All 2 carriers are held")
                .endsWith(
                        " `first` waits for `ReentrantLock@1`, which `second` has. `second` waits"
                            + " for `Object@1`, which `first` has. No deadlock: `first` waits with"
                            + " a time limit.");
    }

    @Test
    void whatKeepsThreadsOnTheirCarriersIsThatOfThoseThatWaitAndNotOfOthers() {
        StackTraceElement nativeFrame = new StackTraceElement("shop.Db", "call", "Db.java", -2);
        HeldCarrier other = held(QUERY, nativeFrame);
        HeldCarrier first = held(QUERY);
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready("ready"), null), "first");

        assertThat(verdict(0, other, first).text())
                .endsWith("1 of 2 carriers is held by a thread that waits for it" + UNKNOWN_OF_ONE);
    }

    @Test
    void onlyThreadsThatWaitForItAreReportedAsWaitingAndOthersWaitForItsOwnerInTheEnd() {
        HeldCarrier first = held(QUERY);
        HeldCarrier second = held(QUERY);
        HeldCarrier third = held(QUERY);
        ThreadLabel ready = ready("ready");
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "first");
        waits(second, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "second");
        waits(third, new Wait(Wait.Kind.LOCK, "ReentrantLock@2", ready, null), "third");

        assertThat(verdict(0, first, second, third).text())
                .isEqualTo(
                        "`ReentrantLock@1` is owned by `ready`, which has no carrier to run on. 2"
                                + " of 3 carriers are held by threads that wait for it"
                                + UNKNOWN.replace(".", "")
                                + ", and 1 by one that in the end waits for `ready` as well.");
    }

    @Test
    void theOwnerOfALockThatHasNoCarrierIsReported() {
        HeldCarrier first = held(QUERY);
        HeldCarrier second = held(QUERY);
        ThreadLabel ready = ready("ready");
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "first");
        waits(second, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "second");

        assertThat(verdict(0, first, second, held(QUERY)).text())
                .isEqualTo(
                        "`ReentrantLock@1` is owned by `ready`, which has no carrier to run on. 2"
                                + " of 3 carriers are held by threads that wait for it"
                                + UNKNOWN);
    }

    @Test
    void theNextOwnerOfALockThatWasReleasedIsReported() {
        HeldCarrier first = held(QUERY);
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", null, ready("ready")), "first");

        assertThat(verdict(0, first).text())
                .startsWith("`ReentrantLock@1` was released to `ready`, which has no");
    }

    @Test
    void theChainThroughAPlatformThreadIsReported() {
        HeldCarrier first = held(QUERY);
        ThreadLabel platform = new ThreadLabel(-7, "\"io\" #7", "io");
        nodes.add(
                new Node(
                        platform,
                        false,
                        new Wait(Wait.Kind.LOCK, "ReentrantLock@2", null, ready("ready"))));
        waits(first, new Wait(Wait.Kind.MONITOR, "Object@1", platform, null), "first");

        assertThat(verdict(0, first).text())
                .isEqualTo(
                        "The only carrier is held by a thread that waits for `Object@1`"
                                + UNKNOWN_OF_ONE
                                + " `io` has it and waits for `ReentrantLock@2`. `ReentrantLock@2`"
                                + " was released to `ready`, which has no carrier to run on.");
    }

    @Test
    void ofAChainThatNothingJoinsToTheCarriersThatIsReported() {
        HeldCarrier first = held(Thread.State.WAITING, QUERY);
        nodes.add(
                new Node(
                        new ThreadLabel(-7, "\"io\" #7", "io"),
                        false,
                        new Wait(Wait.Kind.LOCK, "ReentrantLock@2", ready("ready"), null)));

        assertThat(verdict(0, first).text())
                .endsWith(
                        " in the second half of that time. The JVM does not record which thread"
                                + " would wake them. `io` waits for `ReentrantLock@2`."
                                + " `ReentrantLock@2` is owned by `ready`, which has no carrier"
                                + " to run on.");
    }

    @Test
    void otherThreadsThatWaitForEachOtherAreReportedAndAreNoDeadlockOfTheCarriers() {
        ThreadLabel one = new ThreadLabel(-7, "\"one\" #7", "one");
        ThreadLabel two = new ThreadLabel(-8, "\"two\" #8", "two");
        nodes.add(new Node(one, false, new Wait(Wait.Kind.MONITOR, "Object@1", two, null)));
        nodes.add(new Node(two, false, new Wait(Wait.Kind.MONITOR, "Object@2", one, null)));
        Verdict verdict = verdict(0, held(Thread.State.WAITING, QUERY));

        assertThat(verdict.text())
                .endsWith(
                        " The JVM does not record which thread would wake them. Other threads"
                                + " wait for each other: `one` waits for `Object@1`, which `two`"
                                + " has. `two` waits for `Object@2`, which `one` has.");
        assertThat(verdict.deadlock()).isEmpty();
    }

    @Test
    void tasksThatAreNoVirtualThreadsAreReportedWithTheirLine() {
        HeldCarrier first = task(PARK, QUERY);
        HeldCarrier second = task(PARK, QUERY);
        String blocked =
                "2 of 2 carriers are blocked by tasks that are not virtual threads, at"
                        + " `shop.Db.query:7` in java.util.concurrent.CountDownLatch.await";
        assertThat(verdict(0, first, second).text()).endsWith(" of that time. " + blocked + ".");

        ThreadLabel ready = ready("ready");
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "worker-1");
        waits(second, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready, null), "worker-2");
        assertThat(verdict(0, first, second).text())
                .isEqualTo(
                        "`ReentrantLock@1` is owned by `ready`, which has no carrier to run on. "
                                + blocked
                                + ", and wait for it.");
    }

    @Test
    void anOwnerThatGoesOnIsReportedWithItsPlace() {
        HeldCarrier first = held(QUERY);
        HeldCarrier second = held(QUERY);
        waits(second, null, "second");
        waits(first, new Wait(Wait.Kind.CLASS, "shop.Cart", who(second, "second"), null), "first");

        assertThat(verdict(0, first, second).text())
                .startsWith("All 2 carriers are held")
                .endsWith(
                        " 1 of 2 carriers is held by a thread that waits for class `shop.Cart`."
                                + " `second` initializes it and is at `the.place:1`.");
    }

    @Test
    void anOwnerWhosePlaceIsNotKnownIsReportedAsOnACarrierOrNot() {
        HeldCarrier first = held(QUERY);
        HeldCarrier second = held(QUERY);
        ThreadLabel io = new ThreadLabel(-7, "\"io\" #7", "io");
        nodes.add(new Node(io, false, null));
        waits(first, new Wait(Wait.Kind.MONITOR, "Object@1", io, null), "first");
        assertThat(text(List.of(first, second), ANY, 0))
                .endsWith(" `io` has it, and is on no carrier.");

        nodes.clear();
        waits(second, null, "second");
        waits(first, new Wait(Wait.Kind.MONITOR, "Object@1", who(second, "second"), null), "first");
        assertThat(text(List.of(first, second), ANY, 0)).endsWith(" `second` has it.");
    }

    @Test
    void whatRunsATaskOrAnInitializerIsReportedWithItsVerb() {
        HeldCarrier first = held(QUERY);
        ThreadLabel io = new ThreadLabel(-7, "\"io\" #7", "io");
        nodes.add(
                new Node(
                        io, false, new Wait(Wait.Kind.TASK, "FutureTask@1", ready("ready"), null)));
        waits(first, new Wait(Wait.Kind.CLASS, "shop.Cart", io, null), "first");

        assertThat(verdict(0, first).text())
                .endsWith(
                        " `io` initializes it and waits for `FutureTask@1`. `FutureTask@1` is run"
                                + " by `ready`, which has no carrier to run on.");
    }

    @Test
    void ofManyOtherChainsThreeAreReported() {
        for (int id = -11; id <= -8; id++) {
            ThreadLabel io = new ThreadLabel(id, "\"io\" #" + id, "io" + id);
            nodes.add(
                    new Node(
                            io,
                            false,
                            new Wait(Wait.Kind.LOCK, "ReentrantLock" + id, ready("ready"), null)));
        }

        assertThat(verdict(0, held(Thread.State.WAITING, QUERY)).text())
                .contains("`io-11` waits", "`io-10` waits", "`io-9` waits")
                .doesNotContain("`io-8` waits");
    }

    @Test
    void theClassLoaderThatKeepsThemIsReported() {
        HeldCarrier first =
                held(
                        QUERY,
                        new StackTraceElement(
                                "shop.PluginLoader", "loadClass", "PluginLoader.java", 3),
                        new StackTraceElement(
                                null,
                                "java.base",
                                null,
                                "java.lang.ClassLoader",
                                "loadClass",
                                null,
                                4),
                        new StackTraceElement("shop.Cart", "total", "Cart.java", 9));
        waits(first, new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready("ready"), null), "first");

        assertThat(verdict(0, first).text())
                .endsWith(
                        " waits for it in the class loader `shop.PluginLoader`, which loads a class"
                                + " for `shop.Cart.total:9`.");
    }

    @Test
    void theHolderIsReportedIfItIsOnTheirStacks() {
        for (StackTraceElement keeper :
                List.of(
                        new StackTraceElement("shop.Db", "call", "Db.java", -2),
                        new StackTraceElement("shop.Db", "<clinit>", "Db.java", 3))) {
            HeldCarrier first = held(QUERY, keeper);
            waits(
                    first,
                    new Wait(Wait.Kind.LOCK, "ReentrantLock@1", ready("ready"), null),
                    "first");
            assertThat(verdict(0, first).text())
                    .endsWith("waits for it above a native frame or a class initializer.");
        }
    }

    @Test
    void threadsThatWaitForSocketsAreReportedWhenTheirPollerIsQueued() {
        Thread poller = Thread.ofVirtual().name("SubPoller-2").unstarted(() -> {});
        List<HeldCarrier> held = List.of(held(POLLER), held(POLLER), held(QUERY));

        assertThat(text(held, poller, 0))
                .isEqualTo(
                        "2 of 3 carriers are held by threads that wait for a socket"
                                + UNKNOWN
                                + " `SubPoller-2`, the JDK's virtual thread that would wake them,"
                                + " has no carrier to run on.");
        assertThat(text(held, ANY, 0)).as("with the poller at work").doesNotContain("SubPoller");
    }

    @Test
    void carriersThatTookUpOtherThreadsAreOverloadedAndOthersStand() {
        HeldCarrier[] held = {held(QUERY), held(POLLER), held(QUERY)};

        assertThat(verdict(2, held).text())
                .isEqualTo(
                        "All 3 carriers are held, 2 of them at `shop.Db.query(Db.java:7)`, while 12"
                            + " virtual threads wait for one. Overload, not a deadlock: 2 of them"
                            + " took up another thread in the second half of that time.");
        assertThat(verdict(0, held).text())
                .endsWith("None of them took up another thread in the second half of that time.");
    }

    /** Threads that take turns leave no queue at the moment in which it is read. */
    @Test
    void anEmptyQueueIsToldAsOneOfThisMoment() {
        List<HeldCarrier> held = List.of(held(QUERY), held(QUERY));

        assertThat(new Verdict(held, new WaitGraph(nodes), List.of(), 0, 2, thread -> null).text())
                .startsWith(
                        "All 2 carriers are held, each at `shop.Db.query(Db.java:7)`; at this"
                            + " moment no virtual thread waits for one. Overload, not a deadlock");
    }

    /** A park that began before the agent came has no site. */
    @Test
    void thePlaceIsTheLineThatHasCalledTheJdk() {
        StackTraceElement unsafe =
                new StackTraceElement(
                        null,
                        "java.base",
                        null,
                        "jdk.internal.misc.Unsafe",
                        "park",
                        "Unsafe.java",
                        -2);
        assertThat(verdict(0, held(unsafe, PARK, QUERY)).text())
                .contains(
                        "The only carrier is held, at `shop.Db.query:7` in"
                                + " java.util.concurrent.CountDownLatch.await, while");
        assertThat(verdict(0, held()).text()).contains("held, at an unknown place");
    }

    private Verdict verdict(int moved, HeldCarrier... held) {
        return new Verdict(
                List.of(held),
                new WaitGraph(nodes),
                List.of(ANY),
                12,
                moved,
                thread -> "`the.place:1`");
    }

    private String text(List<HeldCarrier> held, Thread queued, int moved) {
        return new Verdict(held, new WaitGraph(nodes), List.of(queued), 1, moved, thread -> null)
                .text();
    }

    private void waits(HeldCarrier held, @Nullable Wait wait, String name) {
        nodes.add(new Node(who(held, name), false, wait));
    }

    private ThreadLabel ready(String name) {
        ThreadLabel ready = new ThreadLabel(-1, "\"" + name + "\"", name);
        nodes.add(new Node(ready, true, null));
        return ready;
    }

    private static ThreadLabel who(HeldCarrier held, String name) {
        return new ThreadLabel(held.id(), "\"" + name + "\"", name);
    }

    private static HeldCarrier held(StackTraceElement... frames) {
        return held(Thread.State.TIMED_WAITING, frames);
    }

    private static HeldCarrier held(Thread.State state, StackTraceElement... frames) {
        Thread thread = Thread.ofVirtual().unstarted(() -> {});
        return new HeldCarrier(Thread.currentThread(), thread, state, null, List.of(frames));
    }

    private static HeldCarrier task(StackTraceElement... frames) {
        Thread carrier = Thread.ofPlatform().unstarted(() -> {});
        return new HeldCarrier(carrier, null, Thread.State.TIMED_WAITING, null, List.of(frames));
    }
}
