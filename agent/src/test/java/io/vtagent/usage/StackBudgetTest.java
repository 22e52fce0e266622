package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class StackBudgetTest {
    private long processorNanos;
    private final StackBudget budget = new StackBudget(() -> processorNanos);

    @Test
    void theFirstOnesMayTakeLong() {
        spend(StackBudget.FIRST_NANOS - 1);
        assertThat(budget.isLeft()).isTrue();
        spend(1);
        assertThat(budget.isLeft()).isFalse();
    }

    @Test
    void itComesBackAsAShareOfTheTime() {
        spend(StackBudget.FIRST_NANOS);
        budget.passed(StackBudget.SHARE - 1);
        assertThat(budget.isLeft()).isFalse();
        budget.passed(StackBudget.SHARE);
        assertThat(budget.isLeft()).isTrue();
    }

    @Test
    void onlySoMuchIsSavedUpOrOwed() {
        spend(StackBudget.FIRST_NANOS);
        budget.passed(Long.MAX_VALUE);
        spend(StackBudget.MAX_NANOS);
        assertThat(budget.isLeft()).isFalse();
        spend(Long.MAX_VALUE / 2);
        budget.passed(StackBudget.SHARE * (StackBudget.MAX_NANOS + 1));
        assertThat(budget.isLeft()).isTrue();
    }

    @Test
    void halfOfItIsKeptForStacks() {
        spend(StackBudget.FIRST_NANOS - StackBudget.MAX_NANOS / 2 - 1);
        assertThat(budget.isHalfLeft()).isTrue();
        spend(1);
        assertThat(budget.isHalfLeft()).isFalse();
        assertThat(budget.isLeft()).isTrue();
    }

    private void spend(long nanos) {
        assertThat(
                        budget.<String>spend(
                                () -> {
                                    processorNanos += nanos;
                                    return "told";
                                }))
                .isEqualTo("told");
    }
}
