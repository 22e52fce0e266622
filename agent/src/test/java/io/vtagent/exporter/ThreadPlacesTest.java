package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.Diagnosis;
import io.vtagent.diagnosis.PacedThreadGroups.Reading;
import io.vtagent.diagnosis.ThreadGroups;
import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.State;
import io.vtagent.report.AnswerFacts.Deadlock;
import io.vtagent.report.AnswerFacts.Place;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class ThreadPlacesTest {
    @Test
    void placesHaveAPurposeAndWords() {
        List<Place> places =
                places(
                                null,
                                group(
                                        State.PARKED,
                                        "Semaphore",
                                        "java.util.concurrent.Semaphore.acquire"),
                                group(
                                        State.PARKED,
                                        "condition of ReentrantLock",
                                        "java.util.concurrent.LinkedBlockingQueue.take"),
                                group(
                                        State.PARKED,
                                        "condition of ReentrantLock",
                                        "java.util.concurrent.ArrayBlockingQueue.put"),
                                group(
                                        State.PARKED,
                                        "SynchronousQueue",
                                        "java.util.concurrent.SynchronousQueue.take"),
                                group(State.PARKED, "socket", "java.net.ServerSocket.accept"),
                                group(State.PARKED, "socket", "java.net.Socket.read"),
                                group(State.PARKED, "park", "shop.Queue.take"),
                                group(State.SLEEPING, "sleep", "java.lang.Thread.sleep"),
                                group(State.WAITING, "Object.wait", "java.lang.Object.wait"),
                                group(State.BLOCKED, "monitor", ""))
                        .waiting();

        assertThat(places)
                .extracting(place -> place.purpose() + ": " + place.waitsFor())
                .containsExactlyInAnyOrder(
                        "BLOCKED: parked (Semaphore)",
                        "WORK: parked (LinkedBlockingQueue.take)",
                        "BLOCKED: parked (ArrayBlockingQueue.put)",
                        "BLOCKED: parked (SynchronousQueue)",
                        "WORK: parked (socket)",
                        "PEER: parked (socket)",
                        "BLOCKED: parked",
                        "SLEEP: sleeping",
                        "BLOCKED: in Object.wait",
                        "BLOCKED: blocked by a monitor");
    }

    @Test
    void theJdksPollersAreNoThreadsOfTheApplication() {
        Group pollers =
                new Group(
                        State.PARKED,
                        "socket",
                        "",
                        "",
                        List.of("java.base/sun.nio.ch.Poller.subPollerLoop(Poller.java:1)"),
                        3,
                        3,
                        0,
                        "",
                        0,
                        "",
                        0,
                        null,
                        0,
                        null);

        Group handlers =
                new Group(
                        State.PARKED,
                        "socket",
                        "",
                        "",
                        List.of("java.base/sun.nio.ch.Poller.poll(Poller.java:1)"),
                        5,
                        5,
                        0,
                        "",
                        0,
                        "",
                        0,
                        null,
                        0,
                        null);

        List<Place> places =
                places(
                                null,
                                group(State.SLEEPING, "sleep", "java.lang.Thread.sleep"),
                                handlers,
                                pollers)
                        .waiting();

        assertThat(places).extracting(Place::threads).containsExactly(7L);
        assertThat(places).extracting(Place::alive).containsExactly(97L);
    }

    @Test
    void aDeadlockHasALineIfThatIsKnown() {
        Diagnosis.Link link = new Diagnosis.Link("a", "A", "B");

        assertThat(places(null).deadlock()).isNull();
        assertThat(places(new ThreadGroups.Deadlock(List.of(link), "shop.Bank.move:4")).deadlock())
                .isEqualTo(new Deadlock(List.of(link), "shop.Bank.move:4"));
        assertThat(places(new ThreadGroups.Deadlock(List.of(link), "")).deadlock())
                .isEqualTo(new Deadlock(List.of(link), null));
    }

    private static Group group(State state, String waitsFor, String operation) {
        return new Group(
                state,
                waitsFor,
                "shop." + state + ":" + operation,
                operation,
                List.of("shop.Frame"),
                7,
                7,
                0,
                "",
                0,
                "",
                0,
                null,
                0,
                null);
    }

    private static ThreadPlaces places(ThreadGroups.@Nullable Deadlock deadlock, Group... groups) {
        Reading reading =
                new Reading(
                        new ThreadGroups(
                                100, true, 0, 0, 100, 100, 0, true, 0, List.of(groups), deadlock),
                        0,
                        0);
        ThreadReadings readings =
                new ThreadReadings() {
                    @Override
                    public Reading newest() {
                        return reading;
                    }

                    @Override
                    public @Nullable String failure() {
                        return null;
                    }
                };
        return new ThreadPlaces(readings, new StandingThreads(() -> 0));
    }
}
