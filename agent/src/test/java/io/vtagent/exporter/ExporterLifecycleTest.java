package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ExporterLifecycleTest {
    private final List<String> done = new ArrayList<>();
    private final ExporterLifecycle each = new ExporterLifecycle();

    private final class Failing implements Exporter {
        private final String name;
        private int failures;

        Failing(String name, int failures) {
            this.name = name;
            this.failures = failures;
        }

        @Override
        public void begin() {
            if (failures > 0) {
                failures--;
                throw new OutOfMemoryError("made up");
            }
            done.add(name);
        }

        @Override
        public void end() {
            begin();
        }
    }

    @Test
    void whatFailsToBeginIsTriedAgainAndHoldsUpNoOther() {
        List<Exporter> all = List.of(new Failing("first", 1), new Failing("second", 0));
        each.begin(all);
        assertThat(done).containsExactly("second");
        each.begin(all);
        each.begin(all);
        assertThat(done).containsExactly("second", "first");
    }

    @Test
    void whatTakesTheirPlaceBegins() {
        Exporter kept = new Failing("kept", 0);
        each.begin(List.of(kept, new Failing("before", 0)));
        each.begin(List.of(kept, new Failing("after", 0)));
        assertThat(done).containsExactly("kept", "before", "after");
    }

    @Test
    void whatFailsToEndKeepsNoOtherFromIt() {
        ExporterLifecycle.end(List.of(new Failing("first", 1), new Failing("second", 0)));
        assertThat(done).containsExactly("second");
    }
}
