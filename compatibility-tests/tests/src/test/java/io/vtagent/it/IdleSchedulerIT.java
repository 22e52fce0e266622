package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.compatibility.launch.IdleScheduler;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Three minutes without a virtual thread: the scheduler does with the agent what it does without.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class IdleSchedulerIT {
    private static final int SECONDS = 180;
    private static final int CARRIERS = 4;

    /** Both run beside each other, and each start of a thread wakes up a carrier. */
    private static final int MORE_MICROS = 1_000;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void carriersEndNothingIsCollectedAndThreadsStartAsWithoutTheAgent() {
        try (ForkedJvm plain = idle(ForkedJvm.on(jdk));
                ForkedJvm jvm = idle(ForkedJvm.on(jdk).agent())) {
            assertThat(plain.end()).as(plain.toString()).isZero();
            assertThat(jvm.end()).as(jvm.toString()).isZero();
            assertThat(plain.fact("carriers")).startsWith("4").endsWith("0");
            assertThat(jvm.fact("collections")).isEqualTo(plain.fact("collections"));
            assertThat(jvm.fact("carriers")).startsWith("4").endsWith("0");
            // the delay probe starts a thread beside those of the application, while there are any
            assertThat(jvm.number("carriersAfter"))
                    .isBetween(1.0, plain.number("carriersAfter") + 1);
            assertThat(jvm.number("moreFiles")).isLessThanOrEqualTo(plain.number("moreFiles") + 2);
            assertThat(jvm.number("medianDelayMicros"))
                    .isLessThan(2 * plain.number("medianDelayMicros") + MORE_MICROS);
        }
    }

    private static ForkedJvm idle(ForkedJvm.Launch launch) {
        return launch.carriers(CARRIERS)
                .vm("--add-opens", "java.base/java.lang=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(IdleScheduler.class))
                .main(IdleScheduler.class, SECONDS);
    }
}
