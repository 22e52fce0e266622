package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.diagnosis.PacedThreadGroups;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.State;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The report on waiting virtual threads, as text and as JSON. */
class ThreadsReportTest {
    private static final List<String> FRAMES =
            List.of(
                    "java.base/java.lang.VirtualThread.park(VirtualThread.java:1)",
                    "java.base/java.util.concurrent.locks.LockSupport.park(LockSupport.java:2)",
                    "java.base/java.util.concurrent.locks.AbstractQueuedSynchronizer.acquire(A.java:3)",
                    "java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:4)",
                    "shop.Pool.getConnection(Pool.java:28)",
                    "shop.Shop.order(Shop.java:5)");

    private static final Group POOL =
            new Group(
                    State.PARKED,
                    "Semaphore",
                    "shop.Pool.getConnection:28",
                    "java.util.concurrent.Semaphore.acquire",
                    FRAMES,
                    49_500,
                    99,
                    4_500_000_000L,
                    "requests",
                    2,
                    "request-7",
                    42,
                    "Semaphore@1f",
                    3,
                    null);

    private static final Group OWNED =
            new Group(
                    State.PARKED,
                    "ReentrantLock",
                    "shop.Cache.get:9",
                    "java.util.concurrent.locks.ReentrantLock.lock",
                    List.of("shop.Cache.get(Cache.java:9)"),
                    2,
                    2,
                    0,
                    "",
                    1,
                    "",
                    43,
                    "ReentrantLock@2f",
                    1,
                    "\"main\" #1");

    private static Group ready(State state, long count, long nanos, long example) {
        return new Group(
                state, "", "", "", List.of(), count, 0, nanos, "", 0, "", example, null, 0, null);
    }

    private static PacedThreadGroups.Reading answer(boolean known, Group... groups) {
        return answer(null, known, groups);
    }

    private static PacedThreadGroups.Reading answer(
            ThreadGroups.@Nullable Deadlock deadlock, boolean known, Group... groups) {
        return new PacedThreadGroups.Reading(
                new ThreadGroups(
                        50_000,
                        known,
                        1,
                        7,
                        49_992,
                        100,
                        500,
                        known,
                        12_000_000,
                        List.of(groups),
                        deadlock),
                3_000_000_000L,
                5_000_000);
    }

    @Test
    void aGroupHasItsPlaceItsLockAndItsFoldedStack() {
        String text = ThreadsText.render(answer(true, POOL), 5, List.of());

        assertThat(text.lines())
                .containsExactly(
                        "[vt-agent] 50,000 virtual threads alive: 1 mounted, 7 ready to run, 49,992"
                                + " waiting; read in 12.0 ms, 3.00 s ago",
                        "[vt-agent] sampled: 100 of 49,992 waiting threads, chosen at random; the"
                                + " counts below are extrapolated",
                        "[vt-agent] 500 threads ran before the stack could be read",
                        "[vt-agent] 1. 49,500 threads (99.0 %) parked, waiting for Semaphore at"
                                + " shop.Pool.getConnection:28, one seen there for 4.50 s",
                        "   in java.util.concurrent.Semaphore.acquire of Semaphore@1f and 2 more;"
                                + " of requests and 1 more; for example \"request-7\" #42",
                        "      ... 3 frames of the JDK ...",
                        "      at"
                            + " java.base/java.util.concurrent.Semaphore.acquire(Semaphore.java:4)",
                        "      at shop.Pool.getConnection(Pool.java:28)",
                        "      at shop.Shop.order(Shop.java:5)");
    }

    @Test
    void theOwnerOfALockIsNamed() {
        assertThat(ThreadsText.render(answer(true, OWNED), 5, List.of()))
                .contains("of ReentrantLock@2f, which \"main\" #1 has; for example #43");
    }

    @Test
    void aLostThreadIsReportedAsSuch() {
        Group lost = ready(State.LOST, 1, 12_000_000_000L, 44);

        assertThat(ThreadsText.render(answer(true, lost), 5, List.of()))
                .contains(
                        "1. 1 thread (0.0 %) ready to run for 12.00 s, in no queue: nothing will"
                                + " run them\n   for example #44\n");
    }

    @Test
    void whatIsNotKnownIsNotLeftOut() {
        assertThat(ThreadsText.render(answer(false, OWNED), 5, List.of()))
                .contains("at least 50,000 virtual threads", "-Djdk.trackAllThreads=false");
        assertThat(ThreadsText.ofUnknown("of this reason"))
                .isEqualTo("[vt-agent] where virtual threads wait is not known: of this reason\n");
        assertThat(ThreadsJson.ofUnknown("of this reason"))
                .isEqualTo("{\"unknown\":\"of this reason\"}");
    }

    @Test
    void aDeadlockIsReported() {
        ThreadGroups.Deadlock deadlock =
                new ThreadGroups.Deadlock(
                        List.of(new Diagnosis.Link("\"a\" #1", "lock A", "lock B")), "shop.Bank:1");

        assertThat(ThreadsText.render(answer(deadlock, true, POOL), 1, List.of()))
                .contains(
                        "[vt-agent] deadlock:\n"
                                + "   \"a\" #1 has lock A, and waits for lock B\n"
                                + "[vt-agent] 1. ");
        assertThat(ThreadsJson.render(answer(deadlock, true, POOL), 1))
                .contains(
                        "\"deadlock\":[{\"thread\":\"\\\"a\\\" #1\",\"has\":\"lock A\","
                                + "\"waitsFor\":\"lock B\"}],\"groups\":[");
    }

    @Test
    void smallerGroupsAreSummedUp() {
        PacedThreadGroups.Reading answer = answer(true, POOL, ready(State.QUEUED, 7, 0, 0), OWNED);

        assertThat(ThreadsText.render(answer, 1, List.of()))
                .endsWith("[vt-agent] 2 smaller groups of 9 threads\n");
        assertThat(ThreadsText.render(answer, 2, List.of()))
                .contains("2. 7 threads (0.0 %) ready to run\n")
                .endsWith("[vt-agent] 1 smaller group of 2 threads\n");
        assertThat(ThreadsText.render(answer, 3, List.of())).doesNotContain("smaller");
        assertThat(ThreadsJson.render(answer, 1))
                .endsWith("\"others\":{\"groups\":2,\"count\":9}}");
    }

    @Test
    void theJsonHasEachFieldThatThereIs() {
        assertThat(ThreadsJson.render(answer(true, POOL, OWNED, ready(State.QUEUED, 7, 0, 0)), 9))
                .isEqualTo(
                        """
                        {"total":50000,"mounted":1,"queued":7,"waiting":49992,"sampled":100,\
                        "moved":500,"complete":true,"allKnown":true,"tookNanos":12000000,\
                        "ageNanos":3000000000,"nextNanos":5000000,"groups":[\
                        {"state":"parked","count":49500,"share":0.99,"sampled":99,\
                        "waitsFor":"Semaphore","at":"shop.Pool.getConnection:28",\
                        "operation":"java.util.concurrent.Semaphore.acquire",\
                        "longestNanos":4500000000,"container":"requests","containers":2,\
                        "example":{"name":"request-7","id":42},\
                        "lock":{"name":"Semaphore@1f","locks":3},\
                        "stack":[%s]},\
                        {"state":"parked","count":2,"share":4.0E-5,"sampled":2,\
                        "waitsFor":"ReentrantLock","at":"shop.Cache.get:9",\
                        "operation":"java.util.concurrent.locks.ReentrantLock.lock",\
                        "longestNanos":0,"containers":1,"example":{"name":"","id":43},\
                        "lock":{"name":"ReentrantLock@2f","owner":"\\"main\\" #1","locks":1},\
                        "stack":["shop.Cache.get(Cache.java:9)"]},\
                        {"state":"queued","count":7,"share":1.4E-4,"sampled":0,"longestNanos":0,\
                        "containers":0,"stack":[]}],"others":{"groups":0,"count":0}}\
                        """
                                .formatted("\"" + String.join("\",\"", FRAMES) + "\""));
    }
}
