package io.vtagent.hook;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WalkBudgetTest {
    private static final long MILLI = 1_000_000;
    private static final long SHORT = 10_000;

    private final WalkBudget budget = new WalkBudget();

    @Test
    void theFirstWalksAreAllowedHoweverLongTheyTakeOfATimeThatNothingIsKnownOf() {
        for (int i = 0; i < WalkBudget.FIRST; i++) {
            assertThat(budget.allowsWalk(SHORT)).isTrue();
            budget.walked(SHORT, 90 * MILLI);
        }
        assertThat(budget.allowsWalk(SHORT)).isTrue();
        budget.walked(SHORT, 90 * MILLI);
        assertThat(budget.allowsWalk(SHORT)).as("one more than those").isFalse();
    }

    @Test
    void laterStacksAreWalkedOnlyForTheirShareOfTheHeldTime() {
        useUp();
        assertThat(budget.allowsWalk(SHORT)).isFalse();
        budget.held(MILLI * WalkBudget.SHARE);
        assertThat(budget.allowsWalk(SHORT)).isTrue();
    }

    @Test
    void thoseOfPinsThatHaveTurnedOutToBeLongAreWalkedForALargerOne() {
        useUp();
        assertThat(budget.allowsWalk(MILLI)).isTrue();

        budget.walked(MILLI, WalkBudget.ALLOWANCE_OF_LONG_NANOS + MILLI);
        assertThat(budget.allowsWalk(MILLI)).isFalse();
        assertThat(budget.allowsWalk(MILLI * WalkBudget.SHARE_OF_LONG)).isTrue();
        budget.held(MILLI * WalkBudget.SHARE_OF_LONG);
        assertThat(budget.allowsWalk(MILLI)).isTrue();
        assertThat(budget.allowsWalk(SHORT)).isFalse();
    }

    @Test
    void thoseOfPinsThatAreAboutToBeginAreWalkedForASmallerOne() {
        useUp();
        budget.held(MILLI * WalkBudget.SHARE);
        assertThat(budget.allowsWalkAtBegin()).isFalse();
        budget.held(MILLI * (WalkBudget.SHARE_AHEAD - WalkBudget.SHARE));
        assertThat(budget.allowsWalkAtBegin()).isTrue();
    }

    private void useUp() {
        for (int i = 0; i < WalkBudget.FIRST; i++) {
            budget.walked(SHORT, 0);
        }
        budget.walked(SHORT, WalkBudget.ALLOWANCE_NANOS + MILLI);
    }
}
