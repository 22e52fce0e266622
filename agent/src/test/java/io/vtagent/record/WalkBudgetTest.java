package io.vtagent.record;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class WalkBudgetTest {
    private static final long MILLI = 1_000_000;

    private final WalkBudget budget = new WalkBudget();

    @Test
    void theFirstWalksAreAllowedHoweverLongTheyTakeOfATimeThatNothingIsKnownOf() {
        for (int i = 0; i < WalkBudget.FIRST; i++) {
            assertThat(budget.allowsWalk(MILLI)).isTrue();
            budget.walked(90 * MILLI);
        }
        assertThat(budget.allowsWalk(MILLI)).isTrue();
        budget.walked(90 * MILLI);
        assertThat(budget.allowsWalk(MILLI)).as("one more than those").isFalse();
    }

    @Test
    void laterStacksAreWalkedOnlyForTheirShareOfTheHeldTime() {
        for (int i = 0; i < WalkBudget.FIRST; i++) {
            budget.walked(0);
        }
        budget.walked(WalkBudget.ALLOWANCE_NANOS + MILLI);
        assertThat(budget.allowsWalk(MILLI)).isFalse();
        assertThat(budget.allowsWalk(MILLI * WalkBudget.SHARE)).isTrue();
        budget.held(MILLI * WalkBudget.SHARE);
        assertThat(budget.allowsWalk(0)).isTrue();
    }
}
