package io.vtagent.it;

import java.nio.file.Path;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * {@code mvn -Pstress -pl integration-tests -am verify}: {@link NoWaiting} for ten minutes on each
 * JDK.
 */
final class NoWaitingForLong {
    private static final int SECONDS = Integer.getInteger("it.stress.seconds", 600);

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void noThreadOfTheApplicationWaitsForOneOfTheAgent(Jdk jdk, @TempDir Path folder)
            throws Exception {
        new NoWaiting(jdk, SECONDS, 200, folder).run();
    }
}
