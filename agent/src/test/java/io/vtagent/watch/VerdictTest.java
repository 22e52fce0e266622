package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.vm.Locks;
import io.vtagent.watch.DiagnosisBuilder.Patient;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Stacks of their own for threads that never ran: what was found at the carriers, without the carriers. */
class VerdictTest {
    private static final StackTraceElement POLLER =
            new StackTraceElement("sun.nio.ch.Poller", "poll", "Poller.java", 9);
    private static final StackTraceElement QUERY = new StackTraceElement("shop.Db", "query", "Db.java", 7);
    private static final Thread ANY = Thread.ofVirtual().name("any").unstarted(() -> {});

    @Test
    void whoWaitsForSocketsIsToldWhenTheirPollerIsQueued() {
        Thread poller = Thread.ofVirtual().name("SubPoller-2").unstarted(() -> {});
        List<Patient> patients = List.of(patient(POLLER, null), patient(POLLER, null), patient(QUERY, null));

        assertThat(new Verdict(patients, List.of(poller), 1, 0, null).sentence())
                .isEqualTo(
                        "2 of 3 carriers are held by threads that wait for a socket behind something that the agent did"
                                + " not see them enter, and `SubPoller-2`, the JDK's virtual thread that would wake them, has no"
                                + " carrier to run on.");
    }

    @Test
    void withThePollerAtWorkItIsNotToBlame() {
        assertThat(new Verdict(List.of(patient(POLLER, null)), List.of(ANY), 1, 0, null).sentence())
                .doesNotContain("SubPoller");
    }

    @Test
    void aLockWhoseNextOwnerIsNotReadyToRunIsNotToBlame() {
        Locks.Lock lock = new Locks.Lock("ReentrantLock@1", null, List.of(ANY)); // not even started

        assertThat(new Verdict(List.of(patient(QUERY, lock)), List.of(), 1, 0, null).sentence())
                .startsWith(
                        "All 1 carriers are held, 1 of them at `shop.Db.query(Db.java:7)`, while 1 virtual thread waits"
                                + " for one.");
    }

    @Test
    void carriersThatTookUpOtherThreadsAreOverloadedAndOthersStand() {
        List<Patient> patients = List.of(patient(QUERY, null), patient(QUERY, null), patient(POLLER, null));

        assertThat(new Verdict(patients, List.of(ANY), 12, 2, null).sentence())
                .isEqualTo("All 3 carriers are held, 2 of them at `shop.Db.query(Db.java:7)`, while 12 virtual threads"
                        + " wait for one. Overload, not a deadlock: 2 of them took up another thread in the second"
                        + " half of that time.");
        assertThat(new Verdict(patients, List.of(ANY), 12, 0, null).sentence())
                .endsWith("None of them took up another thread in the second half of that time.");
    }

    @Test
    void whoOwnsTheLockThatOthersWaitForAndHasNoCarrierIsToBlame() {
        try (HeldCarriers all = new HeldCarriers()) {
            Locks.Lock lock = new Locks.Lock("ReentrantLock@1", all.queued(), List.of(ANY));
            List<Patient> patients = List.of(patient(QUERY, lock), patient(QUERY, null), patient(QUERY, lock));

            assertThat(new Verdict(patients, List.of(ANY), 1, 0, null).sentence())
                    .isEqualTo("`ReentrantLock@1` is owned by `" + all.queued().getName()
                            + "`, which has no carrier to run on: 2 of 3 carriers are held by threads that wait for it"
                            + " behind something that the agent did not see them enter.");
        }
    }

    /** A monitor that was entered before the agent came nobody knows of. */
    @Test
    void whatKeepsThemIsToldIfItIsOnTheirStacks() {
        for (StackTraceElement keeper : List.of(
                new StackTraceElement("shop.Db", "call", "Db.java", -2),
                new StackTraceElement("shop.Db", "<clinit>", "Db.java", 3))) {
            try (HeldCarriers all = new HeldCarriers()) {
                Locks.Lock lock = new Locks.Lock("ReentrantLock@1", all.queued(), List.of(ANY));
                Patient patient = patient(List.of(QUERY, keeper), lock);
                assertThat(new Verdict(List.of(patient), List.of(ANY), 1, 0, null).sentence())
                        .endsWith("wait for it above a native frame or a class initializer.");
            }
        }
    }

    @Test
    void ofALockThatWasReleasedTheNextOneToGetItIsToBlame() {
        try (HeldCarriers all = new HeldCarriers()) {
            Locks.Lock lock = new Locks.Lock("ReentrantLock@1", null, List.of(all.queued(), ANY));

            assertThat(new Verdict(List.of(patient(QUERY, lock)), List.of(), 1, 0, null).sentence())
                    .startsWith(
                            "`ReentrantLock@1` was released to `" + all.queued().getName() + "`, which has no carrier");
        }
    }

    @Test
    void anOwnerThatHasACarrierOrIsNoVirtualThreadIsNot() {
        try (HeldCarriers all = new HeldCarriers()) {
            for (Thread owner : List.of(all.holder(), Thread.currentThread())) {
                Locks.Lock lock = new Locks.Lock("ReentrantLock@1", owner, List.of());
                assertThat(new Verdict(List.of(patient(QUERY, lock)), List.of(), 1, 0, null).sentence())
                        .startsWith("All 1 carriers are held");
            }
        }
    }

    @Test
    void aLockThatNobodyHasOrWantsIsNot() {
        Locks.Lock lock = new Locks.Lock("Semaphore@1", null, List.of());
        assertThat(new Verdict(List.of(patient(QUERY, lock)), List.of(), 1, 0, null).sentence())
                .startsWith("All 1 carriers are held");
    }

    @Test
    void amongManyPlacesTheMostFrequentIsNamed() {
        StackTraceElement other = new StackTraceElement("shop.Cart", "total", "Cart.java", 9);
        for (List<Patient> patients : List.of(
                List.of(patient(other, null), patient(QUERY, null), patient(QUERY, null)),
                List.of(patient(QUERY, null), patient(QUERY, null), patient(other, null)))) {
            assertThat(new Verdict(patients, List.of(), 1, 0, null).sentence())
                    .startsWith("All 3 carriers are held, 2 of them at `shop.Db.query(Db.java:7)`, while 1 virtual");
        }
    }

    @Test
    void whatThereIsToSayOfInitializersComesAfterWhoHasNoCarrier() {
        Thread poller = Thread.ofVirtual().name("SubPoller-2").unstarted(() -> {});
        List<Patient> patients = List.of(patient(POLLER, null));

        assertThat(new Verdict(patients, List.of(ANY), 1, 0, "classes").sentence())
                .isEqualTo("classes");
        assertThat(new Verdict(patients, List.of(poller), 1, 0, "classes").sentence())
                .contains("SubPoller-2");
    }

    @Test
    void aCircleIsToldThreadByThread() {
        Thread unnamed = Thread.ofVirtual().unstarted(() -> {});
        List<Waits.Link> circle = List.of(
                new Waits.Link(Who.of(ANY), "Cart@3", "ReentrantLock@1"),
                new Waits.Link(Who.of(unnamed), "ReentrantLock@1", "Db@2"),
                new Waits.Link(Who.ofPlatformThread(9, null), "Db@2", "Cart@3"));

        assertThat(Verdict.ofCircle(circle, 3, 4))
                .isEqualTo("Deadlock: `any` waits for `ReentrantLock@1`, which `virtual thread #" + unnamed.threadId()
                        + "` has, `virtual thread #" + unnamed.threadId()
                        + "` waits for `Db@2`, which `platform thread #9` has, `platform thread #9` waits for `Cart@3`,"
                        + " which `any` has. 3 of 4 carriers are held by these and by threads that wait for them.");
    }

    /** Of a park that began before the agent came nobody has a site. */
    @Test
    void thePlaceIsTheLineThatHasCalledTheJdk() {
        List<StackTraceElement> frames = List.of(
                new StackTraceElement(null, "java.base", null, "jdk.internal.misc.Unsafe", "park", "Unsafe.java", -2),
                new StackTraceElement(
                        null,
                        "java.base",
                        null,
                        "java.util.concurrent.CountDownLatch",
                        "await",
                        "CountDownLatch.java",
                        230),
                new StackTraceElement("shop.Cart", "total", "Cart.java", 9),
                QUERY);
        Patient patient = new Patient(Thread.currentThread(), ANY, null, frames, false, null);
        assertThat(new Verdict(List.of(patient), List.of(), 1, 0, null).sentence())
                .contains("1 of them at `shop.Cart.total:9` in java.util.concurrent.CountDownLatch.await, while");
    }

    @Test
    void withoutAStackThePlaceIsUnknown() {
        Patient patient = new Patient(Thread.currentThread(), ANY, null, List.of(), false, null);
        assertThat(new Verdict(List.of(patient), List.of(), 1, 0, null).sentence())
                .contains("1 of them at an unknown place");
    }

    private static Patient patient(StackTraceElement innermost, Locks.@Nullable Lock lock) {
        return patient(List.of(innermost), lock);
    }

    private static Patient patient(List<StackTraceElement> frames, Locks.@Nullable Lock lock) {
        Waits.Wait wait = lock == null ? null : new Waits.Wait(lock.name(), lock, null);
        return new Patient(Thread.currentThread(), ANY, null, frames, false, wait);
    }
}
