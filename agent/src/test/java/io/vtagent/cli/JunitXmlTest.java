package io.vtagent.cli;

import static io.vtagent.cli.Reports.MILLI;
import static io.vtagent.cli.Reports.SECOND;
import static io.vtagent.cli.Reports.site;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.report.Forecast;
import io.vtagent.report.PinReport;
import java.io.ByteArrayInputStream;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import javax.xml.XMLConstants;
import javax.xml.parsers.DocumentBuilderFactory;
import javax.xml.transform.stream.StreamSource;
import javax.xml.validation.SchemaFactory;
import org.junit.jupiter.api.Test;
import org.w3c.dom.Element;
import org.w3c.dom.NodeList;

class JunitXmlTest {
    private static final PinReport OLD =
            Reports.of(
                    10 * SECOND,
                    site("com.acme.Cart.add:12", 3, 100 * MILLI),
                    site("com.acme.Shop.sell:9", 3, 300 * MILLI));
    private static final PinReport NEW =
            Reports.of(
                    10 * SECOND,
                    site("com.acme.Cart.add:12", 3, 120 * MILLI),
                    site("com.acme.Shop.sell:9", 3, 290 * MILLI),
                    site("com.acme.Tax$Rate.of:1", 3, 30 * MILLI));

    /** Parses {@code result} as XML of the schema. */
    private static Element suite(GateResult result) throws Exception {
        byte[] xml = JunitXml.of(result).getBytes(StandardCharsets.UTF_8);
        SchemaFactory.newInstance(XMLConstants.W3C_XML_SCHEMA_NS_URI)
                .newSchema(
                        Objects.requireNonNull(JunitXmlTest.class.getResource("junit.xsd"), "xsd"))
                .newValidator()
                .validate(new StreamSource(new ByteArrayInputStream(xml)));
        return DocumentBuilderFactory.newInstance()
                .newDocumentBuilder()
                .parse(new ByteArrayInputStream(xml))
                .getDocumentElement();
    }

    private static List<Element> all(Element in, String name) {
        NodeList found = in.getElementsByTagName(name);
        return IntStream.range(0, found.getLength())
                .mapToObj(i -> (Element) found.item(i))
                .toList();
    }

    private static Element suite(Limits limits, PinReport report) throws Exception {
        return suite(GateResult.ofCheck(limits, limits.violatedBy(report), List.of()));
    }

    @Test
    void eachLimitOfCheckIsACase() throws Exception {
        Element suite =
                suite(
                        Limits.parse(
                                "99%", null, "50ms", List.of("com.acme.Cart", "com.acme.Cart.")),
                        NEW);

        assertThat(all(suite, "testcase"))
                .extracting(each -> each.getAttribute("name"))
                .containsExactly(
                        "--max-share 99.0 %", "--max-longest 50.0 ms", "--no-site com.acme.Cart");
        assertThat(suite.getAttribute("tests")).isEqualTo("3");
        assertThat(suite.getAttribute("failures")).isEqualTo("2");
        assertThat(all(all(suite, "testcase").getFirst(), "failure")).isEmpty();
    }

    @Test
    void aFailureHasTheSitesWithTheirStacks() throws Exception {
        Element failure =
                all(suite(Limits.parse(null, null, "50ms", List.of()), NEW), "failure").getFirst();

        assertThat(failure.getAttribute("message"))
                .isEqualTo(
                        "a carrier was held for 120.0 ms at com.acme.Cart.add:12 (park), and 1 more"
                                + " site");
        assertThat(failure.getTextContent())
                .contains(
                        "a carrier was held for 290.0 ms at com.acme.Shop.sell:9 (park)\n",
                        "advice: Do something else in com.acme.Cart.add:12 instead.\n",
                        "\n\tat java.base/java.lang.Thread.sleep(Thread.java:509)\n",
                        "\n\tat com.acme.Outer.call7(Outer.java:7)\n");
    }

    @Test
    void eachSiteThatGrewIsACaseOfItsClass() throws Exception {
        Comparison comparison = Comparison.of(OLD, NEW, Normalization.second(OLD, NEW));
        Element failed = suite(GateResult.ofDiff(comparison, GrowthLimit.parse("5%")));

        assertThat(all(failed, "testcase"))
                .extracting(
                        each -> each.getAttribute("classname") + " / " + each.getAttribute("name"))
                .containsExactly(
                        "vt-agent.diff / --fail-above 5%",
                        "com.acme.Tax$Rate / com.acme.Tax$Rate.of:1 (park) in"
                                + " java.lang.Thread.sleep",
                        "com.acme.Cart / com.acme.Cart.add:12 (park) in java.lang.Thread.sleep");
        assertThat(all(failed, "failure"))
                .extracting(each -> each.getAttribute("message"))
                .containsExactly(
                        "carrier time held per second: 40.0 ms before, 44.0 ms now: +4.0 ms"
                                + " (+10.0 %)",
                        "0 ns before, 3.0 ms now: +3.0 ms per second at com.acme.Tax$Rate.of:1"
                                + " (park)",
                        "10.0 ms before, 12.0 ms now: +2.0 ms per second at com.acme.Cart.add:12"
                                + " (park)");
    }

    @Test
    void whereTheGatePassesSoDoTheSites() throws Exception {
        Comparison comparison = Comparison.of(OLD, NEW, Normalization.second(OLD, NEW));
        Element passed = suite(GateResult.ofDiff(comparison, GrowthLimit.parse("50%")));

        assertThat(passed.getAttribute("failures")).isEqualTo("0");
        assertThat(all(passed, "failure")).isEmpty();
        assertThat(all(passed, "system-out")).hasSize(3);
    }

    @Test
    void pinsWithoutAStackAreACaseOfTheCommand() throws Exception {
        PinReport rest =
                Reports.of(
                        10 * SECOND,
                        new PinReport.Held(
                                PinSite.unattributed(PinKind.PARK),
                                NEW.sites().getFirst().figures(),
                                0,
                                null,
                                "none",
                                Forecast.OfSite.UNKNOWN));
        PinReport none = Reports.of(10 * SECOND);
        Comparison comparison = Comparison.of(none, rest, Normalization.second(none, rest));

        assertThat(all(suite(GateResult.ofDiff(comparison, null)), "testcase"))
                .extracting(each -> each.getAttribute("classname"))
                .containsExactly("vt-agent.diff", "vt-agent.diff");
    }

    @Test
    void oddCharactersStayXml() throws Exception {
        String name = "com.acme.<A>&\"'\u0000\u001b\ud800\uffff\u00e9\ud83d\ude00.m:1";
        Element suite =
                suite(
                        Limits.parse(null, null, "1ms", List.of()),
                        Reports.of(10 * SECOND, site(name, 3, 100 * MILLI)));

        assertThat(all(suite, "failure").getFirst().getAttribute("message"))
                .contains("com.acme.<A>&\"'????\u00e9\ud83d\ude00.m:1");
    }

    @Test
    void manySitesAreCutAfterTwenty() throws Exception {
        PinReport many =
                Reports.of(
                        10 * SECOND,
                        IntStream.range(0, 22)
                                .mapToObj(i -> site("com.acme.Cart.add:" + i, 1, 100 * MILLI))
                                .toArray(PinReport.Held[]::new));
        String text =
                all(suite(Limits.parse(null, null, "1ms", List.of()), many), "failure")
                        .getFirst()
                        .getTextContent();

        assertThat(text).contains("com.acme.Cart.add:19 ").doesNotContain("com.acme.Cart.add:20 ");
        assertThat(text).endsWith("... and 2 more sites\n");
    }
}
