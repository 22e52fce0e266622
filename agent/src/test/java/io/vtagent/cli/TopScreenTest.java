package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.pin;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.cli.Key.Kind;
import io.vtagent.cli.Line.Style;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.DurationCounts;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.pin.Samples;
import io.vtagent.report.PinReport;
import io.vtagent.report.PinReport.Held;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TopScreenTest {
    private static final Held[] SITES =
            IntStream.range(0, 50)
                    .mapToObj(
                            number ->
                                    site(
                                            "com.acme.shop.Cart.add:" + number,
                                            50 - number,
                                            (50 - number) * MILLI))
                    .toArray(Held[]::new);
    private static final List<PinReport.Pin> PINS =
            IntStream.range(0, 30)
                    .mapToObj(number -> pin("com.acme.shop.Cart.add:1", SECOND))
                    .toList();

    private static List<String> texts(List<Line> lines) {
        return lines.stream().map(line -> line.text().stripTrailing()).toList();
    }

    private static Interval interval(
            PinReport.Starved starved, List<PinReport.Pin> pins, Held... sites) {
        return Interval.between(Reports.of(SECOND), Reports.of(2 * SECOND, starved, pins, sites));
    }

    private static TopScreen screen(Interval interval, TopView view) {
        return new TopScreen("http://127.0.0.1:21491", interval, view, "");
    }

    /** The JDK adds carriers for some of those that are held. */
    @Test
    void heldCarriersAreThoseOfAllThatExist() {
        PinReport more =
                Reports.of(
                        2 * SECOND,
                        new PinReport.Scheduler(4, 41, 256, 37, 0, 40),
                        PinReport.Starved.NEVER,
                        List.of());
        Interval interval = Interval.between(Reports.of(SECOND), more);

        assertThat(texts(screen(interval, TopView.FIRST).lines(120, 16)))
                .anyMatch(line -> line.startsWith("held     37 of 41 carriers (parallelism 4)"));
    }

    @Test
    void whatThereIsToKnowIsOnOneScreen() {
        Held waiting =
                site(
                        new PinSite(
                                "java.util.Vector.get:7",
                                "com.acme.shop.Order.pay:5",
                                "java.lang.Object.wait",
                                PinKind.WAIT),
                        2,
                        400 * MILLI,
                        300 * MILLI);
        Interval interval =
                interval(
                        PinReport.Starved.NEVER,
                        List.of(pin("com.acme.shop.Cart.add:12", 90 * MILLI)),
                        site("com.acme.shop.Cart.add:12", 5, 800 * MILLI),
                        waiting);

        assertThat(texts(screen(interval, TopView.FIRST).lines(120, 16)))
                .isEqualTo(
                        """
                        vt-agent 1.0  http://127.0.0.1:21491  JDK 21.0.8  up 2.00 s
                        lost     30.0 % of the scheduler's time in the last 1.00 s, 15.0 % in all
                        held     1 of 4 carriers; on average park 0.80, wait 0.40
                        waiting  7 virtual threads without a carrier
                        pins     7 pins, 1.20 s; 1 pin in progress, the oldest for 0 us

                               now*   pins/s       pins       held    waiting    longest kind       caller, site
                          1    0.80      5.0          5   800.0 ms       0 us   800.0 ms park       com.acme.shop.Cart.add:12
                          2    0.40      2.0          2   400.0 ms       0 us   300.0 ms wait       com.acme.shop.Order.pay:5, in ….Vector.get:7

                        in progress kind       thread, caller
                            90.0 ms park       first#21 on worker-1, com.acme.shop.Cart.add:12



                        s sort  / filter  1-9, arrows select  Enter open  p pause  ? help  q quit
                        """
                                .lines()
                                .toList());
    }

    @Test
    void whatComputesIsALineOfTheHeader() {
        PinReport.Busy busy =
                new PinReport.Busy(
                        true,
                        2,
                        List.of(
                                new PinReport.BusyPlace(
                                        "once", "once", 1, 800 * MILLI, 12 * MILLI, List.of()),
                                new PinReport.BusyPlace(
                                        "lib.Pool.borrow:7",
                                        "com.acme.shop.Cart.add:12",
                                        3,
                                        700 * MILLI,
                                        300 * MILLI,
                                        List.of())));
        Interval interval = interval(PinReport.Starved.NEVER, List.of());
        Interval computing = Interval.of(interval.now().with(busy));

        assertThat(texts(screen(interval, TopView.FIRST).lines(120, 16)))
                .noneMatch(line -> line.startsWith("busy"));
        assertThat(texts(screen(computing, TopView.FIRST).lines(120, 16)))
                .contains(
                        "busy     2 carriers compute; most in all: com.acme.shop.Cart.add:12,"
                                + " ~700.0 ms");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"1x1", "10x3", "20x5", "40x10", "60x12", "80x24", "100x30", "200x60", "0x0"})
    void aScreenIsNeverLargerThanTheTerminal(String size) {
        int columns = Integer.parseInt(size.substring(0, size.indexOf('x')));
        int rows = Integer.parseInt(size.substring(size.indexOf('x') + 1));
        Interval interval = interval(Reports.starved(false), PINS, SITES);
        List<TopView> views = new ArrayList<>();
        views.add(TopView.FIRST);
        for (Key key : List.of(Key.of('?'), Key.of(Kind.ENTER), Key.of('/'), Key.of('p'))) {
            views.add(TopView.FIRST.on(key, interval));
        }
        for (TopView view : views) {
            TopScreen screen = new TopScreen("source", interval, view, "nobody listens there");
            assertThat(screen.lines(columns, rows))
                    .hasSize(rows)
                    .allSatisfy(
                            line -> assertThat(line.text().length()).isLessThanOrEqualTo(columns));
            assertThat(screen.mostScroll(columns, rows)).isNotNegative();
        }
    }

    @Test
    void theSelectedSiteIsAlwaysToBeSeen() {
        Interval interval = interval(PinReport.Starved.NEVER, PINS, SITES);
        TopView view = TopView.FIRST;
        for (int pressed = 0; pressed < SITES.length; pressed++) {
            int number = pressed;
            assertThat(screen(interval, view).lines(80, 24))
                    .filteredOn(line -> line.style() == Style.SELECTED)
                    .singleElement()
                    .satisfies(line -> assertThat(line.text()).endsWith(".Cart.add:" + number));
            view = view.on(Key.of(Kind.DOWN), interval);
        }
    }

    @Test
    void pinsInProgressHaveRoomBesideManySites() {
        Interval interval = interval(PinReport.Starved.NEVER, PINS, SITES);
        assertThat(texts(screen(interval, TopView.FIRST).lines(80, 24)))
                .filteredOn(line -> line.contains("first#21"))
                .hasSizeBetween(3, 10);
    }

    @Test
    void aNarrowTerminalHasFewerColumnsAndStillTheName() {
        Interval interval = interval(PinReport.Starved.NEVER, List.of(), SITES);
        assertThat(texts(screen(interval, TopView.FIRST).lines(60, 24)))
                .anyMatch(line -> line.endsWith("com.acme.shop.Cart.add:0"));
        assertThat(texts(screen(interval, TopView.FIRST).lines(60, 24)))
                .noneMatch(line -> line.contains("longest"));
        assertThat(texts(screen(interval, TopView.FIRST).lines(120, 24)))
                .anyMatch(line -> line.contains("longest"));
    }

    @Test
    void aStuckSchedulerIsRedAndBroken() {
        List<Line> lines =
                screen(interval(Reports.starved(false), List.of(), SITES), TopView.FIRST)
                        .lines(80, 24);

        assertThat(lines)
                .filteredOn(line -> line.style() == Style.ALARM)
                .extracting(Line::text)
                .containsExactly(
                        "STUCK",
                        "every carrier has been held for 5.0 s with work queued, and this is a"
                                + " sentence",
                        "that is too long for one line of any terminal that is eighty characters"
                                + " wide");
        assertThat(texts(lines))
                .contains(
                        "  \"late\" #9 has ReentrantLock@1, and waits for Db@3",
                        "relief=stuck would help");
    }

    @Test
    void anOverloadIsNotStuck() {
        List<Line> lines =
                screen(interval(Reports.starved(true), List.of(), SITES), TopView.FIRST)
                        .lines(80, 24);

        assertThat(lines)
                .extracting(Line::style)
                .doesNotContain(Style.ALARM)
                .contains(Style.WARNING);
        assertThat(texts(lines)).contains("OVERLOAD").doesNotContain("STUCK");
    }

    @Test
    void starvationThatIsOverIsNotShown() {
        PinReport.Starved over =
                new PinReport.Starved(
                        1, SECOND, Reports.starved(false).diagnosis(), false, List.of());

        assertThat(texts(screen(interval(over, List.of(), SITES), TopView.FIRST).lines(80, 24)))
                .doesNotContain("STUCK");
    }

    @Test
    void anOpenSiteShowsItsAdviceAndItsStackWithTheFrameThatHolds() {
        Interval interval = interval(PinReport.Starved.NEVER, List.of(), SITES);
        TopView view = TopView.FIRST.on(Key.of(Kind.ENTER), interval);

        assertThat(screen(interval, view).lines(110, 24))
                .contains(
                        Line.heading("com.acme.shop.Cart.add:0"),
                        Line.plain("Do something else in com.acme.shop.Cart.add:0 instead."),
                        new Line(
                                Style.ALARM,
                                "=> com.acme.shop.Cart.add(Any.java:1)  <== monitor:"
                                        + " com.acme.Lock"));
    }

    @Test
    void anOpenSiteShowsHowLongItsPinsLastedAsWideAsTheTerminal() {
        DurationCounts durations = DurationCounts.of(0, 0, 0, 0, 12, 340, 3);
        Held site =
                site(
                        new PinSite("a.B.c:1", "a.B.c:1", "java.lang.Thread.sleep", PinKind.PARK),
                        new PinReport.Figures(
                                355,
                                SECOND,
                                9 * MILLI,
                                ActivePinTotals.NONE,
                                Samples.NONE,
                                durations));
        Interval interval = interval(PinReport.Starved.NEVER, List.of(), site);
        TopView view = TopView.FIRST.on(Key.of(Kind.ENTER), interval);

        assertThat(texts(screen(interval, view).lines(110, 24)))
                .contains("durations: 12 of 1-2 ms, 340 of 2-5 ms, 3 of 5-10 ms");
        assertThat(texts(screen(interval, view).lines(40, 24)))
                .contains("durations: 12 of 1-2 ms, 340 of 2-5 ms,", "3 of 5-10 ms");
    }

    @Test
    void scrolledToItsEndAnOpenSiteShowsItsLastFrame() {
        Interval interval = interval(PinReport.Starved.NEVER, List.of(), SITES);
        TopView view = TopView.FIRST.on(Key.of(Kind.ENTER), interval);
        String last = "   com.acme.Outer.call39(Outer.java:39)";
        assertThat(texts(screen(interval, view).lines(110, 24))).doesNotContain(last);
        int most = screen(interval, view).mostScroll(110, 24);
        for (int pressed = 0; pressed < most; pressed++) {
            view = view.on(Key.of(Kind.DOWN), interval).scrolledAtMost(most);
        }

        assertThat(texts(screen(interval, view).lines(110, 24)).get(22)).isEqualTo(last);
        assertThat(view.on(Key.of(Kind.UP), interval).scroll()).isEqualTo(most - 1);
    }

    @Test
    void anApplicationWithoutPinsDoesNotLookBroken() {
        assertThat(
                        texts(
                                screen(interval(PinReport.Starved.NEVER, List.of()), TopView.FIRST)
                                        .lines(80, 12)))
                .contains(
                        "No virtual thread has held its carrier.",
                        "pins     0 pins, 0 us; none in progress");
    }

    @Test
    void troubleWithTheSourceIsReported() {
        Interval interval = interval(PinReport.Starved.NEVER, List.of(), SITES);
        assertThat(
                        new TopScreen("source", interval, TopView.FIRST, "nobody listens there")
                                .lines(80, 24))
                .contains(new Line(Style.ALARM, "nobody listens there"));
    }

    @Test
    void whereThereIsNoTerminalTheWorstSitesAreLinesOfText() {
        List<String> lines =
                PlainTop.lines(interval(Reports.starved(false), PINS, SITES), "source");

        assertThat(lines)
                .contains("STUCK", "    and 40 more")
                .anyMatch(line -> line.endsWith("com.acme.shop.Cart.add:9"))
                .noneMatch(line -> line.endsWith("com.acme.shop.Cart.add:10"))
                .noneMatch(line -> line.contains("\u001b") || line.endsWith(" "));
    }
}
