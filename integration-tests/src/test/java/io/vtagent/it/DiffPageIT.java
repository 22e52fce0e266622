package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.Pinned;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The page that {@code diff --html} writes, in a real browser. */
@TestInstance(Lifecycle.PER_CLASS)
final class DiffPageIT {
    private static final String ROWS =
            "[...document.querySelectorAll('#sites tbody tr')].map(row =>"
                    + " [...row.cells].map(cell => cell.innerText))";

    /** The colour of the frame of the first kind, as red, green and blue. */
    private static final String COLOUR =
            "(() => { const canvas = document.querySelector('#flame canvas'); const ratio ="
                    + " devicePixelRatio || 1; return [...canvas.getContext('2d').getImageData("
                    + "canvas.width / 2, 27 * ratio, 1, 1).data].slice(0, 3); })()";

    private final Browser browser = new Browser("about:blank");

    @TempDir private static Path folder = Path.of("");

    private Path before = Path.of("");
    private Path after = Path.of("");

    @BeforeAll
    void measure() throws IOException {
        before = report("before<b>.json", 1, 5);
        after = report("after.json", 4, 50);
    }

    @AfterAll
    void end() {
        browser.close();
    }

    @AfterEach
    void neitherErrorsNorRequests() {
        assertThat(browser.consoleErrors()).isEmpty();
        assertThat(browser.requestedHosts()).isEmpty();
    }

    private static Path report(String name, int tasks, int millis) {
        Path file = folder.resolve(name);
        try (ForkedJvm jvm =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(4)
                        .agent("report=" + file + ",port=0")
                        .main(Pinned.class, tasks, millis)
                        .awaitLine("warm")
                        .proceed()
                        .awaitDone()) {
            jvm.proceed().end();
        }
        return file;
    }

    /** Writes and opens the page; the comparison as JSON. */
    private Json open(Path older, Path newer, Object... options) {
        Path page = folder.resolve("diff.html");
        Object[] line = {"diff", older, newer, "--html", page, "--json"};
        Object[] all = java.util.Arrays.copyOf(line, line.length + options.length);
        System.arraycopy(options, 0, all, line.length, options.length);
        CommandResult result = CommandResult.of(Jdks.jdk21(), all).succeeded();
        browser.resize(1_280, 900)
                .dark(false)
                .go(page.toUri().toString())
                .awaitScript("document.body?.dataset.ready == 'true'");
        return Json.parse(result.text());
    }

    @Test
    void thePageHasTheFiguresOfTheJson() {
        Json json = open(before, after);

        assertThat(browser.text("#runs"))
                .contains("Carrier time held per second: ", before.toString(), after.toString());
        Durations.assertPrinted(
                browser.text("#runs").replaceFirst("(?s).*?new: ", ""),
                json.get("growthNanosPer").number());
        browser.script("document.querySelector('#sites-rest:not([hidden]) button')?.click()");
        Map<String, List<String>> rows = rows();
        assertThat(rows).hasSameSizeAs(json.get("sites").list()).isNotEmpty();
        for (Json site : json.get("sites").list()) {
            List<String> row = Objects.requireNonNull(rows.get(nameOf(site)), nameOf(site));
            Durations.assertPrinted(row.get(2), site.get("growthNanosPer").number());
            Durations.assertPrinted(row.get(4), rate(site, "old"));
            Durations.assertPrinted(row.get(5), rate(site, "new"));
            assertThat(row.get(6)).startsWith(inTable(site.get("status").string()));
            Durations.assertPrinted(row.get(7), site.get("waitingGrowthNanosPer").number());
        }
        assertThat(browser.axeViolations()).isEmpty();
    }

    @Test
    void timesArePerWhatWasCounted() {
        Json json = open(before, after, "--per", "10,400", "--unit", "request");

        assertThat(browser.text("#runs")).contains("Carrier time held per request: ");
        assertThat(browser.text("#where")).endsWith("per request");
        Durations.assertPrinted(
                browser.text("#runs").replaceFirst("(?s).*?new: ", ""),
                json.get("growthNanosPer").number());
        browser.script("document.querySelector('#flame canvas').focus()");
        assertThat(browser.press("ArrowDown").text("#flame .tip")).contains(" per request");
    }

    @Test
    void theFlameGraphIsRedWhereTimeGrewAndBlueWhereItShrank() {
        Json json = open(before, after);
        assertThat(rgb().get(0)).isGreaterThan(rgb().get(2));
        assertThat(growthOfKinds())
                .isCloseTo(growthOfSites(json), Durations.SUM_OF_ROUNDED)
                .isPositive();
        assertThat(browser.text("#flame .tip")).matches("(?s)[+\u2212] .*");

        json = open(after, before);
        assertThat(rgb().get(0)).isLessThan(rgb().get(2));
        assertThat(growthOfKinds())
                .isCloseTo(growthOfSites(json), Durations.SUM_OF_ROUNDED)
                .isNegative();

        open(after, after);
        assertThat(rgb().get(0)).isCloseTo(rgb().get(2), org.assertj.core.data.Offset.offset(12.0));
        growthOfKinds();
        assertThat(browser.text("#flame .tip")).matches("(?s)\\w.* 0 ns per second.*");
    }

    @Test
    void aSiteOpensToBothStacksWithWhatToDo() {
        open(before, after);
        browser.type("#site-filter", "Pinned").click("button.site");

        assertThat(browser.text(".detail")).contains("blocked in", "at ", "Pinned.java:");
        assertThat(browser.axeViolations()).isEmpty();
        browser.dark(true).resize(390, 844);
        assertThat(browser.axeViolations()).isEmpty();
        assertThat(browser.script("document.documentElement.scrollWidth == innerWidth"))
                .isEqualTo(true);
    }

    @Test
    void aSiteShowsHowLongItsPinsLastedInBothRuns() throws IOException {
        open(before, after);
        browser.type("#site-filter", "sleepIn").click("button.site");

        long[] old = durations(before);
        long[] newer = durations(after);
        assertThat(old).as("of 5 ms").hasSizeLessThan(newer.length);
        DurationBars.assertDrawn(browser, old, newer);
        assertThat(browser.text(".durations figcaption"))
                .startsWith("Durations of the pins that ended in the compared runs: ")
                .contains("Old, " + LongStream.of(old).sum() + " pin")
                .contains("New, " + LongStream.of(newer).sum() + " pin");
        assertThat(browser.axeViolations()).isEmpty();
    }

    private static long[] durations(Path report) throws IOException {
        return Json.parse(Files.readString(report)).get("sites").list().stream()
                .filter(site -> site.get("caller").string().contains("Pinned.sleepIn"))
                .map(DurationBars::of)
                .findFirst()
                .orElseThrow();
    }

    @Test
    void aReportWithoutDurationsIsComparedWithOneThatHasThem() throws IOException {
        String json = Files.readString(before);
        assertThat(json).contains("\"durations\":");
        Path without =
                Files.writeString(
                        folder.resolve("without.json"),
                        json.replaceAll("\"duration\\w+\":\\[[0-9,]*],", ""));
        open(without, after);
        browser.type("#site-filter", "sleepIn").click("button.site");

        assertThat(browser.text(".detail")).contains("blocked in");
        assertThat(browser.text(".durations"))
                .containsPattern("New, | new pins")
                .doesNotContain("Old", " old ");
    }

    @Test
    void whatComputesHasItsPartOfTheSchedulerAndItsStack() throws IOException {
        open(computing(before, 2, 0.12), computing(after, 30, 0.36));

        assertThat(browser.text("#busy-period")).isEqualTo("Per second.");
        assertThat(
                        (List<?>)
                                browser.script(
                                        "[...document.querySelectorAll('#busy td')].slice(1)"
                                                + ".map(cell => cell.innerText)"))
                .asString()
                .isEqualTo(
                        "[+960.0 ms, +200.0 %, ~480.0 ms, ~1.44 s, , 12 % \u2192 36 %, 2 \u2192"
                                + " 30]");
        assertThat(browser.click("#busy summary").text("#busy pre"))
                .isEqualTo("at shop.Prices.sum(Prices.java:7)");
    }

    /** The report with code that took a part of the time of its four carriers. */
    private static Path computing(Path report, int spells, double part) throws IOException {
        String json = Files.readString(report);
        double uptimeNanos = Json.parse(json).get("uptimeNanos").number();
        String site =
                """
                {"caller":"shop.Prices.sum:7","site":"shop.Prices.sum:7","count":%d,
                "busyNanos":%.0f,"longestNanos":9,"stack":["shop.Prices.sum(Prices.java:7)"]}
                """
                        .formatted(spells, 4 * part * uptimeNanos);
        return Files.writeString(
                folder.resolve("computing-" + spells + ".json"),
                json.replace("\"busy\":[", "\"busy\":[" + site + "],\"measured\":["));
    }

    @Test
    void namesAreNeverMarkup() throws IOException {
        String evil = "</script><img src=x onerror=alert(1)><!--<script>";
        Path hostile =
                Files.writeString(
                        folder.resolve("hostile.json"),
                        Files.readString(after)
                                .replace(Pinned.class.getName(), evil + ".Pinned")
                                .replace("\"java\":\"21", "\"java\":\"" + evil + "21"));
        open(before, hostile);

        assertThat(browser.text("#sites")).contains(evil);
        assertThat(browser.text("#runs")).contains(evil);
        assertThat(browser.script("document.images.length")).isEqualTo(0);
    }

    private Map<String, List<String>> rows() {
        Map<String, List<String>> rows = new HashMap<>();
        for (Object row : (List<?>) Objects.requireNonNull(browser.script(ROWS))) {
            List<String> cells = ((List<?>) row).stream().map(String::valueOf).toList();
            rows.put(
                    cells.get(0).replaceAll("\\s+in ", ", in ")
                            + " "
                            + cells.get(1)
                            + " "
                            + cells.getLast(),
                    cells);
        }
        return rows;
    }

    private static String nameOf(Json site) {
        String caller = site.get("caller").string();
        String holder = site.get("site").string();
        return caller
                + (caller.equals(holder) ? "" : ", in " + holder)
                + " "
                + site.get("kind").string()
                + " "
                + site.get("operation").string();
    }

    private static String inTable(String status) {
        return status.equals("same") ? "" : status;
    }

    private static double rate(Json site, String side) {
        return site.get(side).value() == null ? 0 : site.get(side).get("heldNanosPer").number();
    }

    private static double growthOfSites(Json json) {
        return json.get("sites").list().stream()
                .mapToDouble(site -> site.get("growthNanosPer").number())
                .sum();
    }

    private List<Double> rgb() {
        return ((List<?>) Objects.requireNonNull(browser.script(COLOUR)))
                .stream().map(value -> ((Number) value).doubleValue()).toList();
    }

    /** Goes from kind to kind with the arrow keys. */
    private double growthOfKinds() {
        browser.moveMouseAway();
        browser.script("document.querySelector('#flame canvas').focus()");
        double growth = 0;
        String tip = "";
        browser.press("ArrowDown");
        while (!browser.text("#flame .tip").equals(tip)) {
            tip = browser.text("#flame .tip");
            growth += Durations.growthIn(tip);
            browser.press("ArrowRight");
        }
        return growth;
    }
}
