package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;
import static org.assertj.core.api.Assertions.withinPercentage;
import static org.assertj.core.data.Index.atIndex;

import io.vtagent.it.workload.BusyThreads;
import io.vtagent.it.workload.LockAndMonitor;
import io.vtagent.it.workload.ManyHolders;
import io.vtagent.it.workload.Overload;
import io.vtagent.it.workload.PinsThenComputes;
import io.vtagent.it.workload.SlowPrograms;
import io.vtagent.it.workload.WaitingThreads;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import java.util.stream.LongStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestInstance.Lifecycle;
import org.junit.jupiter.api.io.TempDir;

/** The page as a person has it before them, in a real browser. */
@TestInstance(Lifecycle.PER_CLASS)
final class PageIT {
    private static final int SITES = 200;

    /** The number of points of a chart that are drawn. */
    private static final String POINTS = "Chart.getChart('held-chart').data.labels.length";

    private static final String PRESSED =
            "[...document.querySelectorAll('#period button[aria-pressed=true]')]"
                    + ".map(button => button.innerText)";

    private static final String ROWS = "document.querySelectorAll('#sites tbody tr').length";

    /** What an open site has that stays: its first part has figures of now, its chart as well. */
    private static final String DETAIL =
            "[...document.querySelectorAll('.detail > :not(figure)')].map(part => part.innerText)";

    /** The lines that are drawn of what sites held. */
    private static final String COURSES =
            "Array.from(document.querySelectorAll('.spark path'))"
                    + ".map(path => path.getAttribute('d')).filter(line => line != '')";

    /**
     * Twenty threads park; on a busy machine one may have been sampled at the same operation for
     * another reason.
     */
    private static final String THOSE_OF_ONE_OPERATION = ROWS + " >= 20 && " + ROWS + " < 40";

    /** What both IntelliJ and Eclipse make a link of, if they have the source. */
    private static final Predicate<String> LINK_OF_IDES =
            Pattern.compile(
                            "\tat [\\w.$]+\\.[\\w$<>]+\\((\\w+\\.java:\\d+|Unknown Source|Native"
                                    + " Method)\\)")
                    .asMatchPredicate();

    /** The cells of the line at which most is computed, in a comparison. */
    private static final String COMPUTING =
            "[...[...document.querySelectorAll('#busy tbody tr')].find(row =>"
                    + " row.innerText.includes('.PinsThenComputes.compute:')).cells]"
                    + ".map(cell => cell.innerText)";

    private final Browser browser = new Browser("about:blank");
    private final ForkedJvm pinning =
            ForkedJvm.on(Jdks.jdk21())
                    .carriers(8)
                    .agent("port=0,report=off,max-sites=1000")
                    .main(ManyHolders.class, 8);

    /** In its first ten seconds threads wait for each other; in its third ten, one computes. */
    private final ForkedJvm changing =
            ForkedJvm.on(Jdks.jdk21())
                    .carriers(2)
                    .agent("port=0,report=off")
                    .main(PinsThenComputes.class, 4, 15);

    @BeforeAll
    void awaitPins() {
        pinning.awaitLine("held");
    }

    @AfterAll
    void end() {
        browser.close();
        pinning.close();
        changing.close();
    }

    @AfterEach
    void neitherErrorsNorStrangers() {
        assertThat(browser.consoleErrors()).isEmpty();
    }

    private Browser open(ForkedJvm jvm) {
        URI page = jvm.endpoint().base();
        browser.resize(1_280, 900)
                .dark(false)
                .go(page + "/")
                .awaitScript("document.body?.dataset.ready == 'true'");
        return browser;
    }

    @Test
    void itAsksNobodyButTheAgent() {
        URI agent = pinning.endpoint().base();
        open(pinning);

        assertThat(browser.requestedHosts()).containsOnly(agent.getAuthority());
    }

    @Test
    void theChartsMoveWhilePinsGoOn() {
        open(pinning).awaitScript(POINTS + " > 1");
        double points = ((Number) script(POINTS)).doubleValue();

        browser.awaitScript(POINTS + " > " + (points + 1));
        assertThat(
                        script(
                                "Chart.getChart('held-chart').data.datasets[0].data.some(held =>"
                                        + " held > 0.5)"))
                .isEqualTo(true);
    }

    @Test
    void itReportsAtOnceThatCarriersAreHeldAndWhichLineToChange() {
        open(pinning);

        assertThat(browser.text("#now"))
                .contains("Carriers held, last second", "of 8", "pins", ManyHolders.class.getName())
                .contains("Replace synchronized with a ReentrantLock");
    }

    @Test
    void aSiteOpensToItsStackWithTheFrameThatHoldsTheMonitorAndWhatToDo() {
        open(pinning)
                .type("#site-filter", "tryAcquire")
                .awaitScript(THOSE_OF_ONE_OPERATION)
                .click("button.site");

        assertThat(browser.text(".detail mark"))
                .contains(ManyHolders.class.getName(), "<== monitor: java.lang.Object");
        assertThat(browser.text(".detail"))
                .contains("Replace synchronized", "On JDK 24 and later it would go away")
                .contains("at java.base/");

        assertThat(copiedBy(".detail button"))
                .startsWith("Virtual threads hold their carriers at " + ManyHolders.class.getName())
                .contains("\n\tat java.base/", "(ManyHolders.java:")
                .endsWith("\n");
        assertThat(script("document.querySelector('button.site').ariaExpanded")).isEqualTo("true");

        assertThat(traceCopiedBy(".detail button:nth-of-type(2)"))
                .hasSizeGreaterThan(5)
                .satisfies(
                        line ->
                                assertThat(line)
                                        .startsWith("java.lang.Throwable: pinned at ")
                                        .contains(
                                                ManyHolders.class.getName(),
                                                "park, blocked in java.util.concurrent."),
                        atIndex(0))
                .anyMatch(line -> line.contains("(ManyHolders.java:"));
    }

    private String copiedBy(String button) {
        script("navigator.clipboard.writeText = async text => window.copied = text");
        script("delete window.copied");
        browser.click(button).awaitScript("window.copied !== undefined");
        return (String) script("copied");
    }

    /** The lines that the button copies, of which IDEs make links. */
    private List<String> traceCopiedBy(String button) {
        List<String> lines = copiedBy(button).lines().toList();
        assertThat(lines.subList(1, lines.size())).allMatch(LINK_OF_IDES);
        return lines;
    }

    @Test
    void aFrameLosesWhatNoIdeAndNoOtherBuildKnows() {
        open(pinning);
        script(
                "import('./page/frame.js').then(({lineOf, methodOf, stackTrace}) => {"
                        + " const frames = ['app//com.acme.Cart.add(Cart.java:12)',"
                        + " 'java.base@21.0.8/java.lang.Thread.sleep(Thread.java:509)',"
                        + " 'com.acme.Cart.lambda$add$3(Cart.java:13)',"
                        + " 'com.acme.Cart$$Lambda/0x00007f0a.run(Unknown Source)',"
                        + " 'web//com.acme.Native.call(Native Method)'];"
                        + " window.lines = frames.map(lineOf); window.methods ="
                        + " frames.map(methodOf); window.trace = stackTrace('why', frames.slice(0,"
                        + " 4)); }) != null");
        browser.awaitScript("window.trace !== undefined");

        assertThat(strings("lines"))
                .containsExactly(
                        "com.acme.Cart.add:12",
                        "java.lang.Thread.sleep:509",
                        "com.acme.Cart.lambda$add$3:13",
                        "com.acme.Cart$$Lambda.run",
                        "com.acme.Native.call");
        assertThat(strings("methods")).contains("com.acme.Cart.add", "com.acme.Cart.lambda$add");
        assertThat(script("trace"))
                .isEqualTo(
                        """
                        java.lang.Throwable: why
                        \tat com.acme.Cart.add(Cart.java:12)
                        \tat java.lang.Thread.sleep(Thread.java:509)
                        \tat com.acme.Cart.lambda$add$3(Cart.java:13)
                        \tat com.acme.Cart$$Lambda.run(Unknown Source)
                        """);
    }

    @Test
    void threadsAreReadWhenTheirSectionIsOpened() {
        String asked =
                "performance.getEntriesByType('resource').filter(entry =>"
                        + " entry.name.includes('api/threads')).length";
        try (ForkedJvm waiting =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(2)
                        .agent()
                        .main(WaitingThreads.class, "many")
                        .awaitLine("ready")) {
            open(waiting);
            assertThat(script(asked)).isEqualTo(0);

            browser.click("#threads > summary")
                    .awaitScript("document.querySelectorAll('#threads-groups details').length > 3")
                    .click("#threads-groups details:nth-child(2) > summary");

            assertThat(((Number) script(asked)).intValue()).isPositive();
            assertThat(browser.text("#threads-summary"))
                    .matches("5\\d\\d virtual threads: 0 on carriers, 0 ready to run, .* ago\\.");
            assertThat(browser.text("#threads-groups details:nth-child(1) > summary"))
                    .startsWith("495 threads (88 %) parked, waiting for Semaphore, at ")
                    .contains("WaitingThreads.getConnection:");
            assertThat(browser.text("#threads-groups details:nth-child(2)"))
                    .startsWith("30 threads")
                    .contains("ReentrantLock@", "which \"owner-of-the-lock\" #", "at java.base/");
            assertThat(traceCopiedBy("#threads-groups details:nth-child(2) button"))
                    .startsWith(
                            "java.lang.Throwable: "
                                    + browser.text(
                                            "#threads-groups details:nth-child(2) > summary"))
                    .anyMatch(line -> line.contains("(WaitingThreads.java:"));
            assertThat(browser.axeViolations()).isEmpty();
        }
    }

    @Test
    void sitesAreFilteredAndSorted() {
        open(pinning).type("#site-filter", "semaphore").awaitScript(THOSE_OF_ONE_OPERATION);
        // the JVM may have made a thread wait for a moment anywhere else in that class
        assertThat(
                        strings(
                                "[...document.querySelectorAll('#sites tbody tr')].map(row =>"
                                        + " row.innerText)"))
                .allMatch(row -> row.contains("java.util.concurrent.Semaphore."));

        browser.type("#site-filter", "no such name").awaitScript(ROWS + " == 0");
        assertThat(browser.text("#sites"))
                .contains("No site of this kind and name held a carrier in this period");

        browser.type("#site-filter", "")
                .awaitScript(ROWS + " >= " + SITES)
                .click("#sites th:nth-child(1) button");
        assertThat(places()).hasSizeGreaterThan(SITES / 2).isSorted();
        browser.click("#sites th:nth-child(1) button");
        assertThat(places()).isSortedAccordingTo(Collections.reverseOrder());
        assertThat(script("document.querySelector('#sites th').ariaSort")).isEqualTo("descending");
    }

    /**
     * The code of the sites that park. Their numbers have two digits, so that they are sorted alike
     * by the browser's rules and by Java's.
     */
    private List<String> places() {
        return strings("[...document.querySelectorAll('button.site')].map(site => site.innerText)")
                .stream()
                .filter(site -> site.matches(".*\\$\\d\\d:\\d+"))
                .toList();
    }

    /** A period that is over does not change any more. */
    @Test
    void whatIsBelowTheChartsIsOfThePeriodThatWasChosen() {
        open(pinning).awaitScript(POINTS + " > 4");
        browser.click("#period button:nth-child(8)"); // zoom in
        String sites = browser.text("#sites-period");
        assertThat(browser.text("#totals")).startsWith("In the chosen period:");
        double held = heldInTotals();

        browser.click("#period button:nth-child(5)"); // all
        assertThat(browser.text("#sites-period")).isEqualTo("The whole run.").isNotEqualTo(sites);
        assertThat(browser.text("#totals")).startsWith("Since the agent's start:");
        assertThat(heldInTotals()).isGreaterThanOrEqualTo(held);
    }

    @Test
    void theAddressShowsTheSameToEveryReader() {
        open(pinning).awaitScript(POINTS + " > 4");
        browser.click("#period button:nth-child(8)") // zoom in
                .type("#site-filter", "tryAcquire")
                .awaitScript(THOSE_OF_ONE_OPERATION)
                .click("#sites th:nth-child(1) button")
                .click("button.site")
                .type("#flame-search", "acquire");
        String period = browser.text("#sites-period");
        String summary = browser.text("#timeline-summary");
        List<String> places = places();
        List<String> detail = strings(DETAIL);
        String address = (String) script("location.href");

        browser.go("about:blank")
                .go(address)
                .awaitScript("document.body?.dataset.ready == 'true'")
                .awaitScript(THOSE_OF_ONE_OPERATION);

        assertThat(browser.text("#sites-period")).isEqualTo(period);
        assertThat(browser.text("#timeline-summary")).isEqualTo(summary);
        assertThat(places()).isEqualTo(places).isSorted();
        assertThat(strings(DETAIL).subList(1, detail.size()))
                .isEqualTo(detail.subList(1, detail.size()));
        assertThat(script("document.querySelector('#flame-search').value")).isEqualTo("acquire");
    }

    @Test
    void anAddressThatNobodyCanFollowShowsThePageAsItBegins() {
        browser.go("about:blank")
                .go(
                        pinning.endpoint().base()
                                + "/#period=7-3&site=none&sort=none&kind=none&frame=none&x")
                .awaitScript("document.body?.dataset.ready == 'true'")
                .awaitScript(ROWS + " >= " + SITES);

        assertThat(strings(PRESSED)).containsExactly("Last 15 minutes");
        assertThat(script("document.querySelector('#site-kind').value")).isEqualTo("");
    }

    /** Slices that are over do not change any more. */
    @Test
    void twoPeriodsAreComparedSiteBySiteAndInTheFlameGraph() {
        pinning.awaitUptime(21e9);
        String run = history(pinning).get("run").string();
        String address = pinning.endpoint().base() + "/#period=10-20&compare=1-10&run=" + run;
        openAddress(address);

        assertThat(browser.text("#sites-compared"))
                .startsWith("Compared with ")
                .contains("Carrier time held per second: ", " in the old, ", " in the new: ");
        assertThat(strings("[...document.querySelectorAll('#sites th')].map(th => th.innerText)"))
                .startsWith(
                        "Code",
                        "Kind",
                        "Growth",
                        "Growth, %",
                        "Old",
                        "New",
                        "Change",
                        "Others waited",
                        "Pins");
        Map<String, double[]> held = heldBySlice();
        double most = Double.NEGATIVE_INFINITY;
        for (double[] slices : held.values()) {
            most = Math.max(most, slices[1] - slices[0]);
        }
        List<String> first =
                strings(
                        "[...document.querySelector('#sites tbody tr').cells].map(c =>"
                                + " c.innerText)");
        Durations.assertPrinted(first.get(2), most / 10);
        assertThat(Durations.nanosOf(first.get(5)) - Durations.nanosOf(first.get(4)))
                .isCloseTo(most / 10, Durations.SUM_OF_ROUNDED);

        double all = held.values().stream().mapToDouble(each -> each[1] - each[0]).sum();
        browser.moveMouseAway();
        browser.script("document.querySelector('#flame canvas').focus()");
        double kinds = 0;
        String tip = "";
        browser.press("ArrowDown");
        while (!browser.text("#flame .tip").equals(tip)) {
            tip = browser.text("#flame .tip");
            assertThat(tip).contains(" per second", " in the old, ", " in the new");
            kinds += Durations.growthIn(tip);
            browser.press("ArrowRight");
        }
        assertThat(kinds).isCloseTo(all / 10, Durations.SUM_OF_ROUNDED);
        assertThat(browser.axeViolations()).isEmpty();

        browser.click("#period .row:nth-child(2) button:nth-child(3)"); // compare no more
        assertThat(strings("[...document.querySelectorAll('#sites th')].map(th => th.innerText)"))
                .contains("Held", "Last hour")
                .doesNotContain("Growth");
        assertThat((String) script("location.hash"))
                .contains("period=10-20")
                .doesNotContain("compare");
        assertThat(browser.text("#flame-says")).startsWith("The stacks of the sites");
    }

    /** Slices that are over do not change any more. */
    @Test
    void forHowLongOthersWaitedIsOfThePeriodLiveAndSavedAndCompared(@TempDir Path folder)
            throws IOException {
        changing.awaitUptime(31e9);
        double[] waited = waitedBySlice();
        assertThat(waited[0]).as("four threads on two carriers").isGreaterThan(2e9);
        assertThat(waited[2]).as("one thread").isLessThan(waited[0] / 10);
        Path saved = folder.resolve("saved.html");
        Files.writeString(saved, changing.endpoint().get("/report?format=html", "*/*").body());

        for (String page : List.of(changing.endpoint().base() + "/", saved.toUri().toString())) {
            openAddress(page + "#period=1-10" + ofThisRun());
            Durations.assertPrinted(othersWaited(), waited[0]);
            openAddress(page + "#period=20-30" + ofThisRun());
            Durations.assertPrinted(othersWaited(), waited[2]);
            assertThat(browser.text("#sites-period")).endsWith("; Longest covers the whole run.");

            openAddress(page + "#period=20-30&compare=1-10" + ofThisRun());
            Durations.assertPrinted(othersWaited(), (waited[2] - waited[0]) / 10);
            assertThat(othersWaited()).startsWith("\u2212");
        }
    }

    /** For how long others waited for the carriers of those that sleep, in nanoseconds. */
    private double[] waitedBySlice() {
        Json history = history(changing);
        List<Json> sites = history.get("sites").list();
        double[] waited = new double[3];
        double all = 0;
        List<Json> slices = new ArrayList<>(history.get("slices").list());
        slices.add(history.get("unfinishedSlice"));
        for (Json slice : slices) {
            List<Json> row = slice.list();
            int number = (int) row.get(0).number() / 10;
            for (int at = 1; at < row.size(); at += 4) {
                if (isSleep(sites.get((int) row.get(at).number()))) {
                    double nanos = row.get(at + 3).number() * 1e3;
                    all += nanos;
                    if (number < waited.length) {
                        waited[number] += nanos;
                    }
                }
            }
        }
        double reported =
                changing.endpoint().report().get("sites").list().stream()
                        .filter(PageIT::isSleep)
                        .mapToDouble(site -> site.get("waitingNanos").number())
                        .sum();
        assertThat(all).isCloseTo(reported, withinPercentage(2));
        return waited;
    }

    private static boolean isSleep(Json site) {
        return site.get("caller").string().contains(".PinsThenComputes.sleepIn:")
                && site.get("kind").string().equals("park");
    }

    private String othersWaited() {
        int column =
                strings("[...document.querySelectorAll('#sites th')].map(th => th.innerText)")
                        .indexOf("Others waited");
        return (String)
                script(
                        "[...document.querySelectorAll('#sites tbody tr')].find(row =>"
                                + " /\\.sleepIn:\\d+\\s+park/.test(row.innerText))"
                                + (".cells[" + column + "].innerText"));
    }

    private String ofThisRun() {
        return "&run=" + history(changing).get("run").string();
    }

    /** Slices that are over do not change any more. */
    @Test
    void howLongPinsLastedIsOfThePeriodAndOfThePeriodThatItIsComparedWithAndOfTheRun(
            @TempDir Path folder) throws IOException {
        changing.awaitUptime(31e9);
        Json history = history(changing);
        List<Json> sites = history.get("sites").list();
        int site =
                IntStream.range(0, sites.size())
                        .filter(i -> isSleep(sites.get(i)))
                        .findFirst()
                        .orElseThrow();
        long[] early = DurationBars.inSlice(history, site, 0);
        long[] late = DurationBars.inSlice(history, site, 20);
        assertThat(early[5]).as("of 3 ms").isGreaterThan(early[10]);
        assertThat(early[7]).as("of 12 ms").isPositive();
        assertThat(early[10]).as("of 150 ms").isPositive();
        assertThat(late[8]).as("of 30 ms").isPositive();
        Path saved = folder.resolve("saved.html");
        Files.writeString(saved, changing.endpoint().get("/report?format=html", "*/*").body());
        String run = ofThisRun() + "&only=sleepIn&kind=park&sort=Code";

        for (String page : List.of(changing.endpoint().base() + "/", saved.toUri().toString())) {
            openAddress(page + "#period=1-10" + run);
            browser.click("button.site");
            DurationBars.assertDrawn(browser, early);
            assertThat(browser.text(".durations figcaption"))
                    .isEqualTo(
                            "Durations of the "
                                    + LongStream.of(early).sum()
                                    + " pins that ended in the chosen period");

            openAddress(page + "#period=20-30&compare=1-10" + run);
            browser.click("button.site");
            assertThat(browser.text(".durations figcaption"))
                    .startsWith("Durations of the pins that ended in the compared periods: ")
                    .contains("Old, " + LongStream.of(early).sum() + " pins")
                    .contains("New, " + LongStream.of(late).sum() + " pins");
            DurationBars.assertDrawn(browser, early, late);
            assertThat(browser.axeViolations()).isEmpty();
        }
        browser.click("#period .row:nth-child(2) button:nth-child(3)") // compare no more
                .click("#period button:nth-child(5)"); // all
        assertThat(browser.text(".durations figcaption")).endsWith(" since the agent's start");
        DurationBars.assertDrawn(browser, DurationBars.of(sleepIn(reportIn(saved))));
    }

    private static Json sleepIn(Json report) {
        return report.get("sites").list().stream()
                .filter(PageIT::isSleep)
                .findFirst()
                .orElseThrow();
    }

    /** The report in a page that was saved. */
    private static Json reportIn(Path saved) throws IOException {
        String page = Files.readString(saved);
        int begin = page.indexOf('>', page.indexOf("id=\"report\"")) + 1;
        return Json.parse(page.substring(begin, page.indexOf("</script>", begin)));
    }

    @Test
    void whereThereIsNothingToDrawASentenceReportsHowLongPinsLasted() {
        open(pinning);

        assertThat(chart("[['', [0, 0, 1]]]", "{}"))
                .isEqualTo("The one pin that ended in May lasted 5 ms\u20131 s.");
        assertThat(chart("[['', [1234]]]", "{}"))
                .isEqualTo("All 1,234 pins that ended in May lasted < 1 ms.");
        assertThat(chart("[['', [0, 0, 0, 2]]]", "{estimated: true, samples: 7}"))
                .isEqualTo("All 2 pins that ended in May lasted \u2265 ~1 s.");
        assertThat(chart("[['Old', [0, 3]], ['New', [0, 4]]]", "{}"))
                .isEqualTo("All 3 old and 4 new pins that ended in May lasted 1\u20135 ms.");
        assertThat(chart("[['Old', []], ['New', [0, 1]]]", "{}"))
                .isEqualTo("The one pin that ended in May lasted 1\u20135 ms.");
        assertThat(chart("[['', []]]", "{}")).as("none has ended, or it is not known").isEmpty();
        assertThat(chart("[['', [3, 0, 1]]]", "{estimated: true, samples: 7}"))
                .isEqualTo(
                        "Durations of the 4 pins that ended in May, ~ estimated"
                                + "|< ~1 ms 3 (75 %)|~1\u20135 ms 0|~5 ms\u20131 s 1 (25 %)");
        assertThat(chart("[['Old', [3, 0, 1]], ['New', []]]", "{}"))
                .isEqualTo(
                        "Durations of the pins that ended in May: Old, 4 pins |< 1 ms old 3 (75"
                                + " %)|1\u20135 ms old 0|5 ms\u20131 s old 1 (25 %)");
    }

    /** The text of a chart with the bounds 1 ms, 5 ms and 1 s, with a bar between its parts. */
    private String chart(String series, String site) {
        return (String)
                script(
                        "import('./page/durations.js').then(({DurationChart}) => {"
                                + " const chart = new DurationChart();"
                                + " chart.show([1e6, 5e6, 1e9], "
                                + series
                                + ".map(([name, durations]) => ({name, durations, colour:"
                                + " 'link'})), 'in May', "
                                + site
                                + "); return chart.element.hidden ? '' :"
                                + " [...chart.element.querySelectorAll('figcaption, li')].map(part"
                                + " => part.textContent).join('|'); })");
    }

    /** Slices that are over do not change any more. */
    @Test
    void whatComputesIsComparedAndItsStackIsCopied() {
        changing.awaitUptime(31e9);
        double[] computed = computedInThirdSlice();
        String page = changing.endpoint().base() + "/";
        openAddress(page + "#period=20-30&compare=1-10" + ofThisRun());

        assertThat(strings("[...document.querySelectorAll('#busy th')].map(th => th.innerText)"))
                .containsExactly(
                        "Code",
                        "Growth",
                        "Growth, %",
                        "Old",
                        "New",
                        "Change",
                        "Of the scheduler",
                        "Spells");
        assertThat(browser.text("#busy-compared"))
                .startsWith("Compared with ")
                .endsWith(", per second.");
        List<String> cells = strings(COMPUTING);
        assertThat(cells.get(1)).startsWith("+");
        Durations.assertPrinted(cells.get(1), computed[1] / 10);
        assertThat(cells.get(3)).isEqualTo("\u2013");
        assertThat(cells.get(4)).startsWith("~");
        Durations.assertPrinted(cells.get(4), computed[1] / 10);
        assertThat(cells.get(5)).isEqualTo("new");
        assertThat(cells.get(6)).startsWith("0 % \u2192 ").endsWith(" %");
        assertThat(Double.parseDouble(cells.get(6).replaceAll(".*\u2192 | %", "")))
                .isCloseTo(100 * computed[1] / 20e9, within(0.51));
        assertThat(cells.get(7)).isEqualTo("0 \u2192 %.0f", computed[0]);

        browser.click("#busy summary");
        assertThat(traceCopiedBy("#busy details button"))
                .hasSizeGreaterThan(2)
                .satisfies(
                        line ->
                                assertThat(line)
                                        .startsWith(
                                                "java.lang.Throwable: computed at "
                                                        + PinsThenComputes.class.getName()
                                                        + ".compute:")
                                        .contains(": ~", " s, seen in ", " spells, longest "),
                        atIndex(0))
                .anyMatch(line -> line.contains("(PinsThenComputes.java:"));
        assertThat(browser.axeViolations()).isEmpty();
        browser.resize(390, 844)
                .awaitScript("document.documentElement.scrollWidth == innerWidth")
                .resize(1_280, 900);

        browser.click("#period .row:nth-child(2) button:nth-child(3)"); // compare no more
        assertThat(strings("[...document.querySelectorAll('#busy th')].map(th => th.innerText)"))
                .contains("Busy", "Longest");
        assertThat(script("document.querySelector('#busy details').open")).isEqualTo(true);

        openAddress(page + "#period=1-10&compare=20-30" + ofThisRun());
        assertThat(strings(COMPUTING).get(1)).startsWith("\u2212");
        assertThat(strings(COMPUTING).get(5)).isEqualTo("gone");
    }

    /** The spells at the line at which most was computed, and their nanoseconds. */
    private double[] computedInThirdSlice() {
        Json history = history(changing);
        List<Json> sites = history.get("busySites").list();
        double[] computed = new double[2];
        for (Json slice : history.get("busySlices").list()) {
            List<Json> row = slice.list();
            for (int at = 1; row.get(0).number() == 20 && at < row.size(); at += 3) {
                Json site = sites.get((int) row.get(at).number());
                double nanos = row.get(at + 2).number() * 1e3;
                if (site.get("caller").string().contains(".PinsThenComputes.compute:")
                        && nanos > computed[1]) {
                    computed[0] = row.get(at + 1).number();
                    computed[1] = nanos;
                }
            }
        }
        return computed;
    }

    @Test
    void thePeriodBeforeIsComparedAndIsInTheAddress() {
        pinning.awaitUptime(31e9);
        openAddress(pinning.endpoint().base() + "/#period=20-30");

        browser.click("#period .row:nth-child(2) button:nth-child(1)");
        assertThat((String) script("location.hash"))
                .contains("period=20-30", "compare=10-20", "run=");
        String compared = browser.text("#sites-compared");
        assertThat(browser.text("#compared-name")).contains("(0:10) is the old period");
        openAddress((String) script("location.href"));
        assertThat(browser.text("#sites-compared")).isEqualTo(compared).isNotEmpty();

        browser.click("#period .row:nth-child(2) button:nth-child(2)"); // with this period
        assertThat(browser.text("#compared-name")).endsWith("choose the new one.");
        assertThat(browser.text("#sites-compared")).endsWith(": 0 ns (0.0 %).");
    }

    @Test
    void aPeriodOfAnotherRunIsNotShownAsOneOfThisRun() {
        String address = pinning.endpoint().base() + "/#period=1-3&run=another";
        openAddress(address);

        String notice = browser.text("#period-of-other-run");
        assertThat(notice).startsWith("The period in this page's address belongs to another run");
        assertThat(strings(PRESSED)).containsExactly("Last 15 minutes");
        assertThat(script("location.href")).isEqualTo(address);

        openAddress(address); // loaded once more
        assertThat(browser.text("#period-of-other-run")).isEqualTo(notice);
        browser.click("#period button:nth-child(1)"); // the last minute
        assertThat(browser.text("#period-of-other-run")).isEmpty();
        assertThat(script("location.hash")).isEqualTo("#period=60");

        openAddress(pinning.endpoint().base() + "/#period=60&run=another"); // moves with the time
        assertThat(browser.text("#period-of-other-run")).isEmpty();
    }

    private void openAddress(String address) {
        browser.resize(1_280, 900)
                .dark(false)
                .go(address)
                .awaitScript("document.body?.dataset.ready == 'true'");
    }

    private static Json history(ForkedJvm jvm) {
        return Json.parse(jvm.endpoint().get("/api/history", "*/*").body());
    }

    /** The nanoseconds of each site in the first two slices. */
    private Map<String, double[]> heldBySlice() {
        Json history = history(pinning);
        Map<String, double[]> held = new HashMap<>();
        for (Json slice : history.get("slices").list()) {
            List<Json> row = slice.list();
            int number = (int) row.get(0).number() / 10;
            for (int at = 1; number < 2 && at < row.size(); at += 4) {
                held.computeIfAbsent("site " + row.get(at).number(), first -> new double[2])[
                                number] +=
                        row.get(at + 2).number() * 1e3;
            }
        }
        return held;
    }

    private double heldInTotals() {
        String text = browser.text("#totals p");
        return Double.parseDouble(text.replaceAll(".*: ([\\d,.]+) s,.*", "$1").replace(",", ""));
    }

    @Test
    void theFlameGraphIsSearchedAndEnlargedByMouseAndKeyboard() {
        open(pinning).type("#flame-search", "tryAcquire");
        browser.awaitScript("/[1-9].* %/.test(document.querySelector('#flame span').innerText)");

        browser.moveMouseAway(); // a frame under it would be where the keys begin
        browser.awaitScript("document.querySelector('#flame .tip').innerText == ''");
        browser.script("document.querySelector('#flame canvas').focus()");
        browser.press("ArrowDown");
        assertThat(browser.text("#flame .tip")).startsWith("park").contains("%");
        browser.press("ArrowDown").press("Enter");
        assertThat(browser.text("#flame .tip")).startsWith("java.lang.VirtualThread.run");

        Object height = script("document.querySelector('#flame canvas').clientHeight");
        browser.click("#flame button");
        assertThat(script("document.querySelector('#flame canvas').clientHeight"))
                .isEqualTo(height);
    }

    @Tag("long")
    @Test
    void otherReadersReadItAsWell() {
        open(pinning).click("button.site");
        assertThat(browser.axeViolations()).isEmpty();
        browser.dark(true);
        assertThat(browser.axeViolations()).isEmpty();
        assertThat(script("getComputedStyle(document.body).backgroundColor"))
                .isEqualTo("rgb(21, 23, 27)");
        browser.resize(390, 844);
        assertThat(browser.axeViolations()).isEmpty();
        assertThat(script("document.documentElement.scrollWidth == innerWidth")).isEqualTo(true);
    }

    @Test
    void starvationIsOnTopWithItsDiagnosis() {
        try (ForkedJvm stuck =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(4)
                        .agent("port=0,report=off,starvation-after=500ms")
                        .main(LockAndMonitor.class, 2)
                        .proceed()
                        .awaitLine("stuck")) {
            open(stuck).awaitScript("!document.getElementById('stuck').hidden");

            assertThat(browser.text("#stuck h2"))
                    .isEqualTo("Stuck: every carrier is held, and none takes up another thread");
            assertThat(browser.text("#stuck"))
                    .contains("Deadlock: has-", "4 of 4 carriers", "LockAndMonitor.java:");
            assertThat(browser.axeViolations()).isEmpty();
        }
    }

    @Test
    void anOverloadIsNotStuck() {
        try (ForkedJvm busy =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(2)
                        .agent("port=0,report=off,starvation-after=500ms")
                        .main(Overload.class, "monitor", 100_000, 20)
                        .proceed()) {
            open(busy).awaitScript("!document.getElementById('stuck').hidden");

            assertThat(browser.text("#stuck h2")).startsWith("Overload: ");
            assertThat(script("document.getElementById('stuck').className")).isEqualTo("overload");
        }
    }

    @Test
    void carriersForWhichTheSchedulerCompensatesAreNoAlarm() {
        try (ForkedJvm selecting =
                ForkedJvm.on(Jdks.jdk21())
                        .carriers(3)
                        .agent("port=0,report=off")
                        .main(SlowPrograms.class, "selecting")
                        .awaitLine("running")) {
            open(selecting)
                    .awaitScript(
                            "document.querySelector('#now .calm')?.innerText =="
                                    + " 'Carriers are held now; the scheduler compensates for"
                                    + " them.'");

            assertThat(script("document.querySelectorAll('#now .alarm').length")).isEqualTo(0);
        }
        open(pinning).awaitScript("document.querySelector('#now .alarm') !== null");
    }

    @Test
    void whatComputesIsOfTheChosenPeriodAndItsStackStaysOpen() {
        try (ForkedJvm busy =
                ForkedJvm.on(Jdks.jdk25())
                        .carriers(2)
                        .agent("port=0,report=off")
                        .main(BusyThreads.class, "compute", 1, 50_000, 50_000)
                        .awaitLine("warm")
                        .proceed()
                        .awaitLine("computing")) {
            open(busy)
                    .awaitScript(
                            "document.querySelector('#busy tbody')?.innerText.includes('"
                                    + BusyThreads.class.getName()
                                    + ".compute:')")
                    .click("#busy summary");
            String first = browser.text("#busy-period");
            assertThat(first).startsWith("From ");
            browser.awaitScript(
                    "document.getElementById('busy-period').innerText != '" + first + "'");
            assertThat(browser.text("#busy pre")).contains("at ", "BusyThreads.java:");

            browser.click("#period button:nth-child(5)"); // all
            assertThat(browser.text("#busy-period")).isEqualTo("The whole run.");
            assertThat(browser.axeViolations()).isEmpty();
        }
    }

    /** Slices of ten seconds are too long to wait for, so these are made up. */
    @Test
    void whatDidNotComputeInAPeriodIsNotInIt() {
        open(pinning);
        script(
                "import('./page/period.js').then(({Period}) => {"
                        + " const column = new Array(40).fill(0);"
                        + " const period = new Period();"
                        + " period.take({first: 0, seconds: {queued: column}, sliceSeconds: 10,"
                        + " sites: [], slices: [], unfinishedSlice: [30],"
                        + " durationSlices: [], unfinishedDurationSlice: [30],"
                        + " busySites: [{caller: 'a', site: 'b'}, {caller: 'c', site: 'c'}],"
                        + " busySlices: [[0, 0, 2, 300], [10, 0, 1, 500, 1, 4, 7], [20]],"
                        + " unfinishedBusySlice: [30, 1, 1, 9]});"
                        + " const figures = (from, to) =>"
                        + " JSON.stringify([...period.figuresOf({from, to}).busyFigures]);"
                        + " window.early = figures(0, 20);"
                        + " window.late = figures(20, 40); }) != null");
        browser.awaitScript("window.late !== undefined");

        assertThat(script("early"))
                .isEqualTo(
                        "[[\"b a\",{\"count\":3,\"busyNanos\":800000}],"
                                + "[\"c c\",{\"count\":4,\"busyNanos\":7000}]]");
        assertThat(script("late")).isEqualTo("[[\"c c\",{\"count\":1,\"busyNanos\":9000}]]");
    }

    @Test
    void anApplicationWithoutPinsDoesNotLookBroken() {
        try (ForkedJvm idle =
                ForkedJvm.on(Jdks.jdk25()).agent("port=0,report=off").main(ManyHolders.class, 8)) {
            idle.awaitLine("held");
            // until then the last seconds may have something of the start
            open(idle)
                    .awaitScript(
                            "/The sensors park, wait, .*are installed and"
                                    + " tested/.test(document.querySelector('#now').innerText)");

            assertThat(browser.text("#where"))
                    .contains("JDK 25", "monitors do not pin in this JVM");
        }
    }

    @Test
    void aTokenIsAskedForUntilItIsRight() {
        try (ForkedJvm guarded =
                ForkedJvm.on(Jdks.jdk25())
                        .agent("port=0,report=off,token=s3cret")
                        .main(ManyHolders.class, 1)) {
            browser.go(guarded.endpoint().base() + "/");
            browser.type("#token-value", "guessed").click("#token button");
            browser.awaitScript("!document.getElementById('token').hidden")
                    .type("#token-value", "s3cret")
                    .click("#token button")
                    .awaitScript("document.body?.dataset.ready == 'true'");

            assertThat(browser.text("#where")).contains("JDK 25");
            browser.go("about:blank"); // the refusals were errors on the console
        }
    }

    /** 200 sites, each of which held carriers in each slice of an hour. */
    @Test
    void anHourOfManySitesInAReportThatWasSavedIsOneFileAndDrawnInFewPoints(@TempDir Path folder)
            throws IOException {
        Path saved = folder.resolve("saved.html");
        String page = pinning.endpoint().get("/report?format=html", "*/*").body();
        Files.writeString(saved, LongHistory.in(page));
        browser.resize(1_280, 900)
                .go(saved.toUri().toString())
                .awaitScript("document.body?.dataset.ready == 'true'");

        assertThat(browser.requestedHosts()).isEmpty();
        assertThat(browser.text("#now-heading")).isEqualTo("At the end");
        assertThat(((Number) script(POINTS)).intValue()).isBetween(200, 301);
        assertThat(((Number) script(ROWS)).intValue()).isGreaterThanOrEqualTo(SITES);
        assertThat(strings(COURSES)) // the JVM may have held a carrier in the second that is
                // not in the history yet
                .hasSizeGreaterThan(SITES / 2)
                .allSatisfy(line -> assertThat(line.split("L", -1)).hasSizeBetween(30, 61));
        browser.click("#period button:nth-child(1)"); // the last minute
        assertThat(browser.text("#period-name")).contains("(1:00)");
        assertThat(browser.text("#sites-rest"))
                .startsWith(
                        "1 site held carriers for less than a ten-thousandth of the time each: 42"
                                + " pins, 60 µs.");
        browser.click("button.site");
        DurationBars.assertDrawn(browser, new long[] {0, 0, 0, 0, 0, 6 * 4, 0, 6 * 3});
        browser.click("button.site");
        double folded = ((Number) script(ROWS)).doubleValue();
        browser.click("#sites-rest button");
        assertThat(((Number) script(ROWS)).doubleValue()).isGreaterThan(folded);
        assertThat(browser.axeViolations()).isEmpty();
    }

    private Object script(String expression) {
        return Objects.requireNonNull(browser.script(expression), expression);
    }

    private List<String> strings(String expression) {
        return ((List<?>) script(expression)).stream().map(String::valueOf).toList();
    }
}
