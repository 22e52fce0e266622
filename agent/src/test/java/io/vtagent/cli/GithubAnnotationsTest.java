package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.PinReport;
import io.vtagent.site.PinnedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class GithubAnnotationsTest {
    private static final PinReport NONE = Reports.of(10 * SECOND);

    /** Without a stack, so that the name of the file is a guess. */
    private static PinReport.Held site(String caller) {
        return withStack(Reports.site(caller, 3, 100 * MILLI), null);
    }

    private static PinReport.Held withStack(PinReport.Held held, @Nullable PinnedStack stack) {
        return new PinReport.Held(
                held.site(), held.figures(), 0, stack, held.advice(), held.onUpgrade());
    }

    private static List<String> annotations(GateResult result, Path... roots) {
        return new GithubAnnotations(List.of(roots)).of(result);
    }

    private static GateResult failure(Finding... findings) {
        return new GateResult(
                "check", List.of(new GateCase("c", "n", true, List.of(findings))), List.of());
    }

    @Test
    void aViolationIsAnErrorAtItsLine() {
        Limits limits = Limits.parse(null, null, "50ms", List.of());
        PinReport report = Reports.of(10 * SECOND, site("com.acme.Cart.add:12"));

        assertThat(annotations(GateResult.ofCheck(limits, limits.violatedBy(report), List.of())))
                .containsExactly(
                        "::error file=com/acme/Cart.java,line=12,title=vt-agent%3A --max-longest"
                            + " 50.0 ms::a carrier was held for 100.0 ms at com.acme.Cart.add:12"
                            + " (park). Do something else in com.acme.Cart.add:12 instead.");
    }

    @Test
    void nothingInAMessageIsACommand() {
        assertThat(
                        annotations(
                                failure(
                                        new Finding(
                                                "a:b,c%\r\nd",
                                                "100 %, x: y\r\n::set-output name=a::b\u001b",
                                                null))))
                .containsExactly(
                        "::error title=vt-agent%3A a%3Ab%2Cc%25%0D%0Ad::100 %25, x:"
                                + " y%0D%0A::set-output name=a::b?");
    }

    @Test
    void aDiffWithALimitAnnotatesOnlyIfItFails() {
        PinReport report = Reports.of(10 * SECOND, site("com.acme.Cart.add:12"));
        Comparison comparison = Comparison.of(NONE, report, Normalization.second(NONE, report));

        assertThat(annotations(GateResult.ofDiff(comparison, GrowthLimit.parse("1ms"))))
                .hasSize(2)
                .allMatch(line -> line.startsWith("::error "))
                .element(1)
                .asString()
                .contains("file=com/acme/Cart.java,line=12,");
        assertThat(annotations(GateResult.ofDiff(comparison, GrowthLimit.parse("1s")))).isEmpty();
        assertThat(annotations(GateResult.ofDiff(comparison, null)))
                .singleElement()
                .asString()
                .startsWith("::warning file=com/acme/Cart.java,line=12,");
    }

    @Test
    void noMoreAreWrittenThanGithubShows() {
        Finding[] many =
                IntStream.range(0, 30)
                        .mapToObj(i -> new Finding("l", "w" + i, null))
                        .toArray(Finding[]::new);

        assertThat(annotations(failure(many))).hasSize(10).last().asString().endsWith("::w9");
    }

    @ParameterizedTest
    @CsvSource({
        "com.acme.Cart$Item.add:12, com/acme/Cart.java, 12",
        "com.acme.Cart$1$2.lambda$add$0:7, com/acme/Cart.java, 7",
        "com.acme.Cart.<clinit>:?, com/acme/Cart.java, 0",
        "Main.main:3, Main.java, 3",
        "com.acme.$Proxy12.add:1, com/acme/$Proxy12.java, 1",
    })
    void thePathIsGuessedFromTheClass(String caller, String path, int line) {
        assertThat(SourcePlace.of(site(caller))).isEqualTo(new SourcePlace(path, line));
    }

    @Test
    void theStackHasTheNameOfTheFile() {
        PinReport.Held held = site("com.acme.CartKt.add:12");
        PinReport.Held kotlin =
                withStack(
                        held,
                        new PinnedStack(
                                List.of(
                                        "java.lang.Thread.sleep(Thread.java:509)",
                                        "com.acme.CartKt.addAll(Other.kt:3)",
                                        "app//com.acme.CartKt.add(Cart.kt:12)"),
                                2,
                                held.site().site(),
                                PinnedStack.Cause.NONE,
                                null,
                                held.site().operation(),
                                null,
                                null,
                                Map.of()));

        assertThat(SourcePlace.of(kotlin)).isEqualTo(new SourcePlace("com/acme/Cart.kt", 12));
    }

    @ParameterizedTest
    @CsvSource({"(unattributed)", "(other)"})
    void whatStandsForManyHasNoPlace(String caller) {
        PinReport.Held held = site("com.acme.Cart.add:12");
        PinReport.Held many =
                new PinReport.Held(
                        new PinSite(caller, caller, caller, PinKind.PARK),
                        held.figures(),
                        0,
                        null,
                        held.advice(),
                        held.onUpgrade());

        assertThat(SourcePlace.of(many)).isNull();
        assertThat(annotations(failure(new Finding("l", "w", many))))
                .singleElement()
                .asString()
                .startsWith("::error title=");
    }

    @Test
    void withSourceRootsOnlyFilesThatExistAreNamed(@TempDir Path folder) throws IOException {
        Path root = folder.resolve("shop/src/main/java");
        Files.createDirectories(root.resolve("com/acme"));
        Files.createFile(root.resolve("com/acme/Cart.java"));
        Finding there = new Finding("l", "w", site("com.acme.Cart.add:12"));
        Finding missing = new Finding("l", "w", site("com.acme.Gone.add:12"));

        List<String> lines = annotations(failure(there, missing), folder, root);

        assertThat(lines.getFirst())
                .startsWith("::error file=" + root + "/com/acme/Cart.java,line=12,");
        assertThat(lines.getLast()).startsWith("::error title=");
    }
}
