package io.vtagent.diagnosis;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.diagnosis.ThreadGroups.Group;
import io.vtagent.diagnosis.ThreadGroups.Place;
import io.vtagent.diagnosis.ThreadGroups.State;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class ThreadGroupsTest {
    private static final String LINE = "shop.Cart.total:42";
    private static final String LOOP = "java.base/sun.nio.ch.Poller.pollLoop(Poller.java:310)";

    @Test
    void theGroupsOfALineAreOnePlaceAndThePlaceWithTheMostThreadsIsFirst() {
        Group largest = group(State.PARKED, LINE, "socket", 5, 10);
        Group other = group(State.PARKED, LINE, "socket", 3, 20);
        Group elsewhere = group(State.SLEEPING, "shop.Main.main:1", "sleep", 9, 1);
        Group lock = group(State.PARKED, LINE, "ReentrantLock", 7, 1);

        assertThat(groups(largest, lock, other, elsewhere).places())
                .containsExactly(
                        new Place("shop.Main.main:1", "sleep", 9, 1, elsewhere),
                        new Place(LINE, "socket", 8, 20, largest),
                        new Place(LINE, "ReentrantLock", 7, 1, lock));
    }

    @ParameterizedTest
    @EnumSource
    void aPlaceHasTheThreadsThatWait(State state) {
        boolean waits = !List.of(State.MOUNTED, State.QUEUED, State.LOST).contains(state);

        assertThat(groups(group(state, LINE, "", 1, 1)).places()).hasSize(waits ? 1 : 0);
        assertThat(groups(group(state, "", "", 1, 1)).places()).as("the JDK's own").isEmpty();
    }

    @Test
    void pollersAreTheJdksThreadsInALoopOverSockets() {
        assertThat(
                        groups(
                                        group("", List.of("Unsafe.park", LOOP), 2),
                                        group("", List.of(LOOP), 3),
                                        group("", List.of("Unsafe.park"), 10),
                                        group(LINE, List.of(LOOP), 100))
                                .pollers())
                .isEqualTo(5);
    }

    @Test
    void aShareIsAtMostAll() {
        Group group = group("", List.of(), 5);

        assertThat(group.shareOf(20)).isEqualTo(0.25);
        assertThat(group.shareOf(4)).as("of a total that was read later").isEqualTo(1);
        assertThat(group.shareOf(1)).isEqualTo(1);
        assertThat(group.shareOf(0)).isZero();
    }

    @Test
    void itIsASampleIfNotAllWaitingThreadsWereRead() {
        assertThat(groups(10, 9).isSample()).isTrue();
        assertThat(groups(10, 10).isSample()).isFalse();
    }

    @Test
    void aStateIsReportedInLowerCase() {
        assertThat(State.SLEEPING.label()).isEqualTo("sleeping");
    }

    private static ThreadGroups groups(Group... groups) {
        return groups(10, 10, groups);
    }

    private static ThreadGroups groups(long waiting, int sampled, Group... groups) {
        return new ThreadGroups(
                waiting, true, 0, 0, waiting, sampled, 0, true, 1, List.of(groups), null);
    }

    private static Group group(String place, List<String> frames, long count) {
        return group(State.PARKED, place, "", frames, count, 0);
    }

    private static Group group(
            State state, String place, String waitsFor, long count, long longestNanos) {
        return group(state, place, waitsFor, List.of(), count, longestNanos);
    }

    private static Group group(
            State state,
            String place,
            String waitsFor,
            List<String> frames,
            long count,
            long longestNanos) {
        return new Group(
                state,
                waitsFor,
                place,
                "",
                frames,
                count,
                1,
                longestNanos,
                "",
                0,
                "",
                1,
                null,
                0,
                null);
    }
}
