package io.vtagent.exporter;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ShutdownReportHookTest {
    private final List<String> ran = new ArrayList<>();
    private final ShutdownReportHook atExit = new ShutdownReportHook();

    @AfterEach
    void leaveNothingBehind() {
        atExit.forget();
    }

    @Test
    void theLastTaskThatWasSetIsRunAndNothingElse() {
        atExit.becomes(() -> ran.add("first"));
        atExit.becomes(() -> ran.add("second"));
        atExit.run();
        assertThat(ran).containsExactly("second");
    }

    @Test
    void whatWasForgottenIsNotRun() {
        atExit.becomes(() -> ran.add("first"));
        atExit.forget();
        atExit.run();
        assertThat(ran).isEmpty();

        atExit.becomes(() -> ran.add("again"));
        atExit.run();
        assertThat(ran).containsExactly("again");
    }

    @Test
    void whatComesWhileItWaitsTakesTheEarlierOnesPlace() {
        atExit.becomes(() -> ran.add("early"));
        atExit.waitWhile(
                () -> {
                    atExit.becomes(() -> ran.add("later"));
                    return true;
                });
        atExit.run();
        assertThat(ran).containsExactly("later");
    }

    /** Or the JVM would not end. */
    @Test
    void theEndDoesNotWaitForTheOwnerOfTheLock() throws InterruptedException {
        atExit.becomes(() -> ran.add("first"));
        synchronized (atExit) {
            Thread end = Thread.ofPlatform().daemon().start(atExit);
            end.join();
        }
        assertThat(ran).containsExactly("first");
    }

    @Test
    void whatFailsIsNobodysException() {
        atExit.becomes(
                () -> {
                    throw new IllegalStateException("no report");
                });
        atExit.run(); // a line on stderr
    }
}
