package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class SnapshotBudgetTest {
    private long processorNanos;
    private final SnapshotBudget budget = new SnapshotBudget(() -> processorNanos);

    @Test
    void theFirstOnesMayTakeLong() {
        spend(SnapshotBudget.FIRST_NANOS - 1);
        assertThat(budget.isLeft()).isTrue();
        spend(1);
        assertThat(budget.isLeft()).isFalse();
    }

    @Test
    void itComesBackAsAShareOfTheTime() {
        spend(SnapshotBudget.FIRST_NANOS);
        budget.passed(SnapshotBudget.SHARE - 1);
        assertThat(budget.isLeft()).isFalse();
        budget.passed(SnapshotBudget.SHARE);
        assertThat(budget.isLeft()).isTrue();
    }

    @Test
    void onlySoMuchIsSavedUpOrOwed() {
        spend(SnapshotBudget.FIRST_NANOS);
        budget.passed(Long.MAX_VALUE);
        spend(SnapshotBudget.MOST_NANOS);
        assertThat(budget.isLeft()).isFalse();
        spend(Long.MAX_VALUE / 2);
        budget.passed(SnapshotBudget.SHARE * (SnapshotBudget.MOST_NANOS + 1));
        assertThat(budget.isLeft()).isTrue();
    }

    private void spend(long nanos) {
        assertThat(budget.<String>spend(() -> {
                    processorNanos += nanos;
                    return "told";
                }))
                .isEqualTo("told");
    }
}
