package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.StringReader;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import one.convert.Arguments;
import one.convert.FlameGraph;
import org.junit.jupiter.api.Test;

class StacksTest {
    /**
     * The pattern with which speedscope's importer of collapsed stacks parses a line; it leaves out
     * lines that do not match.
     */
    private static final Pattern SPEEDSCOPE = Pattern.compile("(.*) (\\d+(?:\\.\\d+)?)");

    private static final String ALL =
            """
            [park];shop.Main.main:3;shop.Cache.<init>:28;java.lang.Thread.sleep:509 1500000
            [class_init];shop.Main.main:4 300000
            [io];java.io.FileInputStream.read:9 150000
            [park];(other) 50000
            """;

    @Test
    void aSiteIsALineFromTheOutermostFrameToTheInnermostWithItsMicroseconds() {
        assertThat(Stacks.collapsed(FullReport.everything())).isEqualTo(ALL);
    }

    @Test
    void sitesThatHeldNothingInThePeriodAreLeftOut() {
        assertThat(
                        Stacks.collapsed(
                                FullReport.everything(),
                                site -> site.site().kind() == PinKind.IO ? 7 : 0))
                .isEqualTo("[io];java.io.FileInputStream.read:9 7\n");
    }

    @Test
    void nothingInAFrameSeparatesFramesOrEndsTheLine() {
        String text =
                Stacks.collapsed(
                        of(
                                List.of(
                                        "shop.Odd.a b;c\nd\te(Odd Name.java:7)",
                                        "shop.Main$$Lambda/0x00007f1c2c0c4a00.run(Unknown"
                                                + " Source)")));

        assertThat(text).isEqualTo("[park];shop.Main$$Lambda.run;shop.Odd.a_b_c_d_e:7 1000\n");
    }

    @Test
    void speedscopeReadsEachLine() {
        assertThat(Stacks.collapsed(FullReport.everything()).lines())
                .allMatch(line -> SPEEDSCOPE.matcher(line).matches())
                .allMatch(line -> List.of(line.split(";", -1)).stream().noneMatch(String::isBlank));
    }

    @Test
    void asyncProfilersConverterMakesAFlameGraphOfIt() throws IOException {
        FlameGraph graph = new FlameGraph(new Arguments("--title", "held"));
        graph.parseCollapsed(new StringReader(Stacks.collapsed(FullReport.everything())));
        ByteArrayOutputStream html = new ByteArrayOutputStream();
        try (PrintStream out = new PrintStream(html, true, StandardCharsets.UTF_8)) {
            graph.dump(out);
        }

        assertThat(html.toString(StandardCharsets.UTF_8))
                .contains("[class_init]", "shop.Cache.", "(other)")
                .contains(",2000000"); // the width of all
    }

    private static PinReport of(List<String> frames) {
        PinnedStack stack =
                new PinnedStack(
                        frames,
                        0,
                        "shop.A.a:1",
                        PinnedStack.Cause.MONITOR,
                        "shop.A",
                        "op",
                        null,
                        null,
                        Map.of());
        return new PinReport(
                FullReport.JVM,
                1,
                List.of(),
                List.of(
                        new PinReport.Held(
                                new PinSite("shop.A.a:1", "shop.A.a:1", "op", PinKind.PARK),
                                FullReport.figures(1, 1_000_000, 1_000_000),
                                0,
                                stack,
                                "",
                                Forecast.OfSite.GOES)),
                PinReport.Rare.NONE,
                ActivePinTotals.NONE,
                PinReport.CarrierTime.NONE,
                FullReport.FORECAST,
                PinReport.Starved.NEVER,
                PinReport.Delayed.OFF,
                PinReport.Relieved.OFF,
                FullReport.SCHEDULER,
                List.of());
    }
}
