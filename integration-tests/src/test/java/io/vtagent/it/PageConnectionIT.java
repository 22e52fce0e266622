package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ManyHolders;
import io.vtagent.it.workload.WithoutVirtualThreads;
import java.io.IOException;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;

/** A page that stays open when its JVM ends, or cannot be reached for a while. */
@TestInstance(Lifecycle.PER_CLASS)
final class PageConnectionIT {
    private static final String READY = "document.body?.dataset.ready == 'true'";
    private static final String HELD = "Chart.getChart('held-chart').data.datasets[0].data";
    private static final int MISSED = 5;
    private static final int TEN_MINUTES_MILLIS = 600_000;

    private final Browser browser = new Browser("about:blank");

    @AfterAll
    void end() {
        browser.close();
    }

    private Browser open(Object base) {
        return browser.go(base + "/").awaitScript(READY);
    }

    /** Somebody restarts the service. */
    @Test
    void whereAnotherJvmAnswersNothingOfTheFirstIsLeft() {
        ForkedJvm first =
                ForkedJvm.on(Jdks.jdk21()).agent("port=0,report=off").main(ManyHolders.class, 1);
        int port = first.endpoint().base().getPort();
        try (first) {
            first.awaitLine("held");
            open(first.endpoint().base())
                    .awaitScript(
                            HELD + ".length > 4"); // older than the other will be when it answers
            browser.awaitElement("button.site").click("#period button:nth-child(8)"); // zoom in
        }
        try (ForkedJvm second =
                ForkedJvm.on(Jdks.jdk25())
                        .agent("report=off,port=" + port)
                        .main(WithoutVirtualThreads.class, TEN_MINUTES_MILLIS)) {
            second.endpoint();
            browser.awaitScript("document.querySelector('#where')?.innerText.includes('JDK 25')")
                    .awaitScript(READY);

            assertThat(browser.text("#sites")).doesNotContain(ManyHolders.class.getName());
            browser.awaitScript(
                    "document.querySelector('#period-of-other-run').innerText.includes('belongs to"
                            + " another run')");
            browser.script("location.reload()");
            browser.awaitScript(READY);
            assertThat(browser.text("#period-of-other-run")).contains("belongs to another run");
        }
    }

    /** The page was busy for long, and then has just the time for a second in each. */
    @Tag("long")
    @Test
    void secondsThatAreReadLateAreStillThoseOfTheSameJvm() {
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .agent("port=0,report=off")
                        .main(ManyHolders.class, 1)
                        .awaitLine("held")) {
            open(jvm.endpoint().base()).awaitScript(HELD + ".length > 2");
            browser.script("window.sameBefore = " + HELD + ".length");
            browser.script(
                    "const block = millis => { for (const end = Date.now() + millis; Date.now() <"
                        + " end;); }; block(13_000); const chart = Chart.getChart('held-chart');"
                        + " const update = chart.update; let seconds = 0; chart.update ="
                        + " function(mode) { if (seconds++ < 12) { block(1_000); }"
                        + " update.call(this, mode); }");
            browser.awaitScript("!(" + HELD + ".length < window.sameBefore + 24)");
            assertThat(browser.script("window.sameBefore")).isNotNull();
        }
    }

    @Test
    void whatHappenedWhileThereWasNoConnectionIsFetchedWhenThereIsOne() throws IOException {
        try (ForkedJvm jvm =
                        ForkedJvm.on(Jdks.jdk21())
                                .carriers(8)
                                .agent("port=0,report=off")
                                .main(ManyHolders.class, 8)
                                .awaitLine("held");
                CutConnection way = new CutConnection(jvm.endpoint().base())) {
            open(way.base()).awaitScript(HELD + ".length > 2");
            jvm.awaitUptime(
                    12e9); // longer than the slice that is fetched with the sites in any case
            browser.awaitScript(HELD + ".length > 10");
            way.cut(true);
            browser.awaitScript(
                    "document.getElementById('connection').innerText.includes('Not connected')");
            double shown = number(HELD + ".length");
            jvm.awaitUptime(uptime(jvm) + MISSED * 1e9);
            way.cut(false);
            browser.awaitScript(HELD + ".length > " + (shown + MISSED))
                    .awaitScript("document.getElementById('connection').innerText == ''");

            List<Double> drawn = numbers(HELD);
            Json history = Json.parse(jvm.endpoint().get("/api/history", "*/*").body());
            List<Json> kept = history.get("seconds").get("held_park").list();
            for (int second = 0; second < drawn.size(); second++) {
                assertThat(drawn.get(second))
                        .as("second " + second)
                        .isEqualTo(kept.get(second).number() / 1_000);
            }
        }
    }

    private static double uptime(ForkedJvm jvm) {
        return jvm.endpoint().report().get("uptimeNanos").number();
    }

    private double number(String expression) {
        return ((Number) Objects.requireNonNull(browser.script(expression), expression))
                .doubleValue();
    }

    private List<Double> numbers(String expression) {
        return ((List<?>) Objects.requireNonNull(browser.script(expression), expression))
                .stream().map(value -> ((Number) value).doubleValue()).toList();
    }
}
