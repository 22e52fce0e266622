package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.OddNames;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * Thread names of the application with special characters: none of them is executed or breaks an
 * output.
 */
final class OddNamesIT {
    @TempDir Path folder = Path.of("");

    private static ForkedJvm start(String options) {
        return ForkedJvm.on(Jdks.jdk21())
                .carriers(OddNames.count())
                .agent(options + ",starvation-after=500ms")
                .main(OddNames.class)
                .awaitDone();
    }

    @ParameterizedTest
    @ValueSource(strings = {"report.html", "report.json", "report.txt"})
    void noReportIsLostForThem(String name) throws IOException {
        Path file = folder.resolve(name);
        try (ForkedJvm jvm = start("port=off,report=" + file)) {
            jvm.awaitStderr(line -> line.contains("every carrier has been held"));
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).noneMatch(line -> line.contains("cannot write"));
        }
        assertThat(Files.readString(file)).contains("OddNames.hold");
    }

    @Test
    void whatIsPrintedMovesNoCursorAndForgesNoLine() {
        try (ForkedJvm jvm = start("port=off")) {
            jvm.awaitStderr(line -> line.contains("every carrier has been held"));
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .anyMatch(line -> line.contains("OddNames.hold"))
                    .noneMatch(line -> line.startsWith("[vt-agent] forged"))
                    .noneMatch(
                            line ->
                                    line.codePoints()
                                            .anyMatch(
                                                    point ->
                                                            Character.isISOControl(point)
                                                                    || Character.getType(point)
                                                                            == Character.FORMAT));
        }
    }

    @Test
    void onThePageTheyAreNothingButText() throws IOException {
        Path file = folder.resolve("report.html");
        try (ForkedJvm jvm = start("port=0,report=" + file);
                Browser browser = new Browser(jvm.endpoint().base() + "/")) {
            isText(browser);

            assertThat(jvm.end()).isZero();
            isText(browser.go(file.toUri().toString()));
        }
    }

    private static void isText(Browser browser) {
        browser.awaitScript("document.body?.dataset.ready == 'true'").awaitElement("#stuck h2");
        assertThat(browser.text("body"))
                .contains("</script><img src=x onerror=document.title=1>", "<!--<script>");
        assertThat(browser.script("document.title")).isEqualTo("vt-agent");
        assertThat(browser.script("document.images.length")).isEqualTo(0);
        assertThat(browser.consoleErrors()).isEmpty();
    }
}
