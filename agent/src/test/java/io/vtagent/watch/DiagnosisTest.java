package io.vtagent.watch;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.watch.Diagnosis.Held;
import java.util.List;
import org.junit.jupiter.api.Test;

class DiagnosisTest {

    @Test
    void aStackThatManyShareIsToldOnce() {
        List<String> shared = List.of("java.lang.Thread.sleep", "Service.call  <== monitor: Service");
        List<String> other = List.of("Service.other");
        Diagnosis diagnosis = new Diagnosis(
                "Overload.",
                1,
                4,
                1,
                List.of(),
                List.of(held(1, shared), held(2, other), held(3, shared), held(4, List.of())),
                List.of());

        assertThat(diagnosis.inWords().lines().map(String::strip))
                .containsExactly(
                        "Overload.",
                        "ready to run, without a carrier: 1",
                        "carrier-1 carries #1: park for 5 ms",
                        "java.lang.Thread.sleep",
                        "Service.call  <== monitor: Service",
                        "carrier-2 carries #2: park for 5 ms",
                        "Service.other",
                        "carrier-3 carries #3: park for 5 ms",
                        "the same stack as carrier-1",
                        "carrier-4 carries #4: park for 5 ms");
    }

    private static Held held(int number, List<String> stack) {
        return new Held("carrier-" + number, "#" + number, "park for 5 ms", null, null, stack);
    }
}
