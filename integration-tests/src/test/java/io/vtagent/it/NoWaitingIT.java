package io.vtagent.it;

import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@link NoWaiting} for as long as a build may take, with as many threads as a busy machine gets
 * through.
 */
@Tag("long")
final class NoWaitingIT {
    private static final int SECONDS = 6;
    private static final int THREADS = 40;

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void noThreadOfTheApplicationWaitsForOneOfTheAgent(Jdk jdk, @TempDir Path folder)
            throws Exception {
        new NoWaiting(jdk, SECONDS, THREADS, folder).run();
    }
}
