package io.vtagent.site;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class QuietTimeTest {
    private static final long SECOND = 1_000_000_000;

    private final QuietTime quiet = new QuietTime();

    @Test
    void itIsASecondAfterOneRedefinition() {
        assertThat(quiet.contains(0)).isFalse();
        quiet.redefined(5 * SECOND);

        assertThat(quiet.contains(6 * SECOND - 1)).isTrue();
        assertThat(quiet.contains(6 * SECOND)).isFalse();
    }

    @Test
    void itIsAsLongAsASeries() {
        for (int second = 0; second <= 20; second++) {
            quiet.redefined(second * SECOND);
        }

        assertThat(quiet.contains(40 * SECOND - 1)).isTrue();
        assertThat(quiet.contains(40 * SECOND)).isFalse();
    }

    @Test
    void itIsAMinuteAtMost() {
        for (int second = 0; second <= 600; second++) {
            quiet.redefined(second * SECOND);
        }

        assertThat(quiet.contains(660 * SECOND - 1)).isTrue();
        assertThat(quiet.contains(660 * SECOND)).isFalse();
    }

    /** Otherwise one redefinition a minute could keep all stacks unread. */
    @Test
    void aGapEndsASeriesButNotTheTimeAfterIt() {
        for (int second = 0; second <= 20; second++) {
            quiet.redefined(second * SECOND);
        }
        quiet.redefined(25 * SECOND);
        assertThat(quiet.contains(39 * SECOND)).isTrue();
        assertThat(quiet.contains(40 * SECOND)).isFalse();

        quiet.redefined(50 * SECOND);
        assertThat(quiet.contains(51 * SECOND)).isFalse();
    }

    @Test
    void aGapOfThreeSecondsIsPartOfASeries() {
        for (int second = 0; second <= 9; second += 3) {
            quiet.redefined(second * SECOND);
        }

        assertThat(quiet.contains(18 * SECOND - 1)).isTrue();
        assertThat(quiet.contains(18 * SECOND)).isFalse();
    }

    @Test
    void itCanBeForgotten() {
        quiet.redefined(0);
        quiet.forget();

        assertThat(quiet.contains(1)).isFalse();
    }
}
