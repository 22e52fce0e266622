package io.vtagent.exporter.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.exporter.history.Columns.Column;
import io.vtagent.pin.PinKind;
import java.util.Arrays;
import java.util.Locale;
import org.junit.jupiter.api.Test;

class ColumnsTest {
    private static final int CAPACITY = 5;

    private final Columns columns = new Columns(CAPACITY);

    @Test
    void nothingIsKeptBeforeTheFirstSecond() {
        columns.beginAt(7);

        assertThat(columns.first()).isEqualTo(7);
        assertThat(columns.next()).isEqualTo(7);
        assertThat(columns.from(Column.QUEUED, 7)).isEmpty();
    }

    @Test
    void theNewestSecondsAreKeptEachInItsColumn() {
        columns.beginAt(3);
        for (int second = 3; second < 12; second++) {
            columns.add(row(second));
        }

        assertThat(columns.first()).isEqualTo(7);
        assertThat(columns.next()).isEqualTo(12);
        assertThat(columns.from(Column.HELD_PARK, 7)).containsExactly(700, 800, 900, 1_000, 1_100);
        assertThat(columns.from(Column.ADDED, 10)).containsExactly(1_011, 1_111);
        assertThat(columns.from(Column.ADDED, 12)).isEmpty();
    }

    @Test
    void whatIsTooMuchForItsPlaceIsTheMostThatFits() {
        columns.add(Arrays.stream(row(1)).map(value -> 1L << 40).toArray());

        assertThat(columns.from(Column.DELAY, 0)).containsExactly(Integer.MAX_VALUE);
    }

    @Test
    void eachKindHasTheColumnOfItsName() {
        for (PinKind kind : PinKind.values()) {
            assertThat(Column.held(kind).name().toLowerCase(Locale.ROOT))
                    .isEqualTo("held_" + kind.label());
        }
    }

    /** A hundred times the second, plus the column's place. */
    private static long[] row(int second) {
        long[] row = new long[Column.values().length];
        Arrays.setAll(row, column -> second * 100L + column);
        return row;
    }
}
