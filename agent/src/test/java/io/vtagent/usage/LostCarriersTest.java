package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class LostCarriersTest {
    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                // parallelism, minRunnable, existing, atWork, idle, held, compensated, queued
                "nothing is held                        | 4 | 2 | 4   | 4 | 0 | 0   | 0   | 9 | 0",
                "the only carrier is held               | 1 | 1 | 1   | 1 | 0 | 1   | 0   | 0 | 1",
                "half of them are held                  | 8 | 4 | 8   | 4 | 4 | 4   | 0   | 0 | 4",
                "one of three, the others not yet made  | 3 | 1 | 1   | 1 | 0 | 1   | 0   | 0 | 1",
                "more are held than it aims at          | 2 | 1 | 5   | 5 | 0 | 5   | 0   | 0 | 2",
                "20 selectors and a spare one           | 3 | 1 | 21  | 0 | 1 | 20  | 20  | 0 | 0",
                "the same, and nobody counted them      | 3 | 1 | 21  | 0 | 1 | 20  | 0   | 0 | 0",
                "the same, with work queued             | 3 | 1 | 21  | 1 | 0 | 20  | 20  | 5 | 2",
                "the same after the spare one has ended | 3 | 1 | 20  | 0 | 0 | 20  | 20  | 0 | 3",
                "2 selectors and a spare one            | 2 | 1 | 3   | 0 | 1 | 2   | 2   | 0 | 0",
                "the same after that has ended          | 2 | 1 | 2   | 0 | 0 | 2   | 2   | 0 | 2",
                "1 selector, and no spare one for it    | 2 | 1 | 2   | 1 | 0 | 1   | 1   | 0 | 0",
                "the same, with work queued             | 2 | 1 | 2   | 1 | 0 | 1   | 1   | 1 | 1",
                "2 of 8, no spare one, others can start | 8 | 4 | 2   | 0 | 0 | 2   | 2   | 0 | 0",
                "the same, with work queued             | 8 | 4 | 2   | 0 | 0 | 2   | 2   | 3 | 2",
                "5 of 8, and only 3 others can start    | 8 | 4 | 5   | 0 | 0 | 5   | 5   | 0 | 5",
                "6 of 8, and none can start             | 8 | 4 | 8   | 0 | 2 | 6   | 6   | 0 | 6",
                "the last spare one of 256 is used      | 2 | 1 | 256 | 1 | 0 | 256 | 255 | 0 | 2",
                "relief has added one for the held one  | 1 | 1 | 2   | 1 | 0 | 1   | 0   | 9 | 0",
                "compensated, but too few are left to run| 3 | 2 | 3   | 1 | 0 | 2   | 2   | 0 | 2",
                "one is compensated for and one is not  | 4 | 2 | 5   | 4 | 0 | 2   | 1   | 0 | 1",
            })
    void soManyAreLost(
            String when,
            int parallelism,
            int minRunnable,
            int existing,
            int atWork,
            int idle,
            int held,
            int compensated,
            int queued,
            int lost) {
        LostCarriers carriers =
                new LostCarriers(
                        parallelism,
                        minRunnable,
                        existing,
                        atWork,
                        idle,
                        held,
                        compensated,
                        queued);
        assertThat(carriers.count()).isEqualTo(lost);
    }

    @ParameterizedTest
    @CsvSource({
        // queued, held, running: because of held ones
        "12, 0, 4, 0",
        "12, 4, 0, 12",
        "12, 1, 3, 3",
        "12, 2, 2, 6",
    })
    void whatIsQueuedIsDividedByWhatKeepsTheCarriers(
            int queued, int held, int running, double byHeld) {
        LostCarriers carriers = new LostCarriers(4, 2, held + running, 4, 0, held, 0, queued);
        assertThat(carriers.queuedByHeld()).isEqualTo(byHeld);
    }

    @ParameterizedTest(name = "{0}")
    @CsvSource(
            delimiter = '|',
            value = {
                // parallelism, existing, atWork, idle, held, compensated: left
                "all are held                              | 4 | 4  | 4 | 0 | 4  | 0  | 0",
                "all are held, and a spare one sleeps on   | 4 | 5  | 4 | 1 | 4  | 0  | 0",
                "20 selectors, and a spare one sleeps      | 3 | 21 | 0 | 1 | 20 | 20 | 1",
                "20 selectors, three that have been added  | 3 | 23 | 3 | 0 | 20 | 20 | 3",
                "the last spare one of 256 is used         | 2 | 256 | 1 | 0 | 256 | 255 | 0",
                "relief has added one, which sleeps        | 1 | 2  | 0 | 1 | 1  | 0  | 1",
                "one runs, and the scheduler may make more | 4 | 2  | 2 | 0 | 1  | 0  | 3",
            })
    void soManyAreLeftToRunVirtualThreads(
            String when,
            int parallelism,
            int existing,
            int atWork,
            int idle,
            int held,
            int compensated,
            int left) {
        LostCarriers carriers =
                new LostCarriers(parallelism, 1, existing, atWork, idle, held, compensated, 9);
        assertThat(carriers.able()).isEqualTo(left);
    }
}
