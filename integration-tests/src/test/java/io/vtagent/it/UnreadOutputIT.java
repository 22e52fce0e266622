package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Deadlock;
import io.vtagent.it.workload.ManySites;
import io.vtagent.it.workload.RemoteClasses;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** A full pipe as stderr that nothing reads: only threads that write to it themselves wait. */
@Tag("long")
final class UnreadOutputIT {
    /** The capacity of a pipe, as Linux makes it (pipe(7)). */
    private static final int CAPACITY = 65_536;

    private static final int CARRIERS = 4;

    private static final String FILL =
            "mkfifo \"$0\" && exec 2<>\"$0\" && head -c "
                    + CAPACITY
                    + " /dev/zero >&2 && exec \"$@\"";

    @TempDir Path folder = Path.of("");

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theApplicationBeginsAndEndsThoughItsReportCannotBePrinted(Jdk jdk) {
        try (ForkedJvm jvm = on(jdk).agent("port=0,report=stderr").main(ManySites.class)) {
            jvm.awaitDone();

            assertThat(jvm.end()).isZero();
        }
    }

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void theSamplerGoesOnAndSetsFreeWhatIsStuck(Jdk jdk) {
        ForkedJvm.Launch launch =
                on(jdk).carriers(CARRIERS)
                        .agent("port=0,report=off,relief=stuck,starvation-after=1s");
        try (ForkedJvm jvm =
                jdk.monitorsPin()
                        ? launch.main(Deadlock.class, CARRIERS, CARRIERS)
                        : launch.main(RemoteClasses.class, CARRIERS)) {
            jvm.awaitLine("warm").proceed().proceed();

            jvm.awaitDone();
        }
    }

    private ForkedJvm.Launch on(Jdk jdk) {
        return ForkedJvm.on(jdk).through("sh", "-c", FILL, folder.resolve("stderr").toString());
    }
}
