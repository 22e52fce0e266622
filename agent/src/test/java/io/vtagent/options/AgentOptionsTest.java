package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import io.vtagent.log.AgentLog;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Properties;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class AgentOptionsTest {
    @TempDir Path folder;

    /** Otherwise the endpoint would close and open again when such an option is set. */
    @Test
    void anotherNameOfTheDefaultAddressIsTheDefault() throws Exception {
        assertThat(parse("bind=127.1").bind()).isEqualTo(parse(null).bind());
        assertThat(parse("bind=127.0.0.2").bind()).isNotEqualTo(parse(null).bind());
    }

    @Test
    void withoutAnySourceEveryOptionHasTheDocumentedDefault() throws Exception {
        AgentOptions options = parse(null);

        assertThat(options.port()).hasValue(21491);
        assertThat(options.portAsked()).isFalse();
        assertThat(options.token()).isNull();
        assertThat(options.bind().address().getHostAddress()).isEqualTo("127.0.0.1");
        assertThat(options.report().place()).isEqualTo(ReportTarget.Place.STDERR);
        assertThat(options.reportStacks()).isTrue();
        assertThat(options.stackThresholdNanos()).isEqualTo(1_000_000);
        assertThat(options.stackDepth()).isEqualTo(64);
        assertThat(options.maxSites()).isEqualTo(200);
        assertThat(options.wrapSynchronized()).isTrue();
        assertThat(options.include()).isEmpty();
        assertThat(options.exclude()).isEmpty();
        assertThat(options.histogram()).isFalse();
        assertThat(options.app()).isEmpty();
        assertThat(options.busyNanos()).isEqualTo(10_000_000);
        assertThat(options.delayProbeNanos()).isEqualTo(100_000_000);
        assertThat(options.otlp()).isNull();
        assertThat(options.jfrEvents()).isFalse();
        assertThat(options.appRegistry()).isTrue();
        assertThat(options.appRegistrySites()).isFalse();
        assertThat(options.tags()).isEmpty();
        assertThat(options.log()).isEqualTo(AgentLog.Level.INFO);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "token=secret              | token=...",
                "port=0, token : a=b ,x=y  | port=0, token :...,x=y",
                "token=a,token=b           | token=...,token=...",
                "relief=stuck,mytoken=1    | relief=stuck,mytoken=1"
            })
    void whatIsReportedOfOptionsIsWithoutTheToken(String options, String result) {
        assertThat(AgentOptions.withoutToken(options)).isEqualTo(result);
    }

    @Test
    void whatChangesLaterWinsAndTheRestStays() throws Exception {
        AgentOptions options =
                parse("port=0,relief=on,max-sites=3").changed("relief=stuck,report=off");

        assertThat(options.relief()).isZero();
        assertThat(options.reliefWhenStuck()).isTrue();
        assertThat(options.report().place()).isEqualTo(ReportTarget.Place.OFF);
        assertThat(options.port()).hasValue(0);
        assertThat(options.maxSites()).isEqualTo(3);
        assertThat(options.changed("relief=off").reliefWhenStuck()).isFalse();
    }

    @Test
    void whatIsPartOfTheInstalledAgentCannotChange() throws Exception {
        AgentOptions options = parse(null);

        assertThatThrownBy(() -> options.changed("relief=on,max-sites=3"))
                .isInstanceOf(BadOptionException.class)
                .hasMessage(
                        "option \"max-sites\" cannot change while the agent runs, expected one of"
                                + " port, bind, token, report, report-stacks, stack-threshold,"
                                + " starvation-after, relief, otlp, jfr-events, log-pins, context,"
                                + " otel-span-events, app-registry, log");
        assertThatThrownBy(() -> options.changed("nonsense=1"))
                .isInstanceOf(BadOptionException.class);
    }

    @Test
    void argumentsSetEveryOption() throws Exception {
        AgentOptions options =
                parse(
                        "port=off,bind=::1,report=pins.html,report-stacks=off,stack-threshold=250us,stack-depth=7,max-sites=3,synchronized=off,include=com.acme.;org.acme,exclude=com.acme.gen,histogram=on,app=com.acme;org.acme.,busy=3ms,delay-probe=2s,otlp=http://collector:4318,jfr-events=on,log-pins=250ms,context=traceId;"
                            + " order id,otel-span-events=20ms,tags=app:shop;zone:eu-1,log=debug");

        assertThat(options.port()).isEmpty();
        assertThat(options.bind().address().getHostAddress()).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(options.report().format()).isEqualTo(ReportTarget.Format.HTML);
        assertThat(options.reportStacks()).isFalse();
        assertThat(options.stackThresholdNanos()).isEqualTo(250_000);
        assertThat(options.stackDepth()).isEqualTo(7);
        assertThat(options.maxSites()).isEqualTo(3);
        assertThat(options.wrapSynchronized()).isFalse();
        assertThat(options.include()).containsExactly("com.acme.", "org.acme");
        assertThat(options.exclude()).containsExactly("com.acme.gen");
        assertThat(options.histogram()).isTrue();
        assertThat(options.app()).containsExactly("com.acme", "org.acme");
        assertThat(options.busyNanos()).isEqualTo(3_000_000);
        assertThat(options.delayProbeNanos()).isEqualTo(2_000_000_000L);
        assertThat(options.otlp()).isEqualTo(new OtlpUrl(false, "collector", 4318, "/v1/metrics"));
        assertThat(options.jfrEvents()).isTrue();
        assertThat(options.logPinsNanos()).isEqualTo(250_000_000);
        assertThat(options.context()).containsExactly("traceId", "order id");
        assertThat(options.otelSpanEventsNanos()).isEqualTo(20_000_000);
        assertThat(options.tags())
                .containsOnly(Map.entry("app", "shop"), Map.entry("zone", "eu-1"));
        assertThat(options.log()).isEqualTo(AgentLog.Level.DEBUG);
    }

    @ParameterizedTest
    @CsvSource({"off,0,false", "on,32767,false", "3,3,false", "stuck,0,true"})
    void reliefIsForCarriersThatAreHeldOrForASchedulerThatIsStuck(
            String value, int most, boolean whenStuck) throws Exception {
        AgentOptions options = parse("relief=" + value);

        assertThat(options.relief()).isEqualTo(most);
        assertThat(options.reliefWhenStuck()).isEqualTo(whenStuck);
    }

    @ParameterizedTest
    @CsvSource({"off,false,false", "on,true,false", "sites,true,true"})
    void theApplicationsRegistryGetsTheSitesOnlyWhereTheyAreAskedFor(
            String value, boolean filled, boolean sites) throws Exception {
        AgentOptions options = parse("app-registry=" + value);

        assertThat(options.appRegistry()).isEqualTo(filled);
        assertThat(options.appRegistrySites()).isEqualTo(sites);
    }

    @Test
    void offIsNoPeriod() throws Exception {
        AgentOptions options = parse("sample-interval=off,busy=off,delay-probe=off");

        assertThat(options.sampleIntervalNanos()).isZero();
        assertThat(options.busyNanos()).isZero();
        assertThat(options.delayProbeNanos()).isZero();
    }

    @Test
    void theFirstSourceThatNamesAKeyWins() throws Exception {
        Path file = folder.resolve("agent.properties");
        Files.writeString(file, "max-sites=4\nstack-depth=4\nport=4\nhistogram=on\n");
        Properties properties = new Properties();
        properties.setProperty("vtagent.max-sites", "2");
        properties.setProperty("vtagent.stack-depth", "2");
        Map<String, String> environment =
                Map.of("VTAGENT_MAX_SITES", "3", "VTAGENT_STACK_DEPTH", "3", "VTAGENT_PORT", "3");

        AgentOptions options =
                AgentOptions.parse("max-sites=1,config=" + file, properties, environment);

        assertThat(options.maxSites()).isEqualTo(1);
        assertThat(options.stackDepth()).isEqualTo(2);
        assertThat(options.port()).hasValue(3);
        assertThat(options.portAsked()).isTrue();
        assertThat(options.histogram()).isTrue();
    }

    @Test
    void anUnknownKeyIsNamedWithItsSource() {
        assertThatThrownBy(() -> parse("prot=1"))
                .isInstanceOf(BadOptionException.class)
                .hasMessageContainingAll("prot", "the agent's arguments", "port");
        Properties properties = new Properties();
        properties.setProperty("vtagent.prot", "1");
        assertThatThrownBy(() -> AgentOptions.parse(null, properties, Map.of()))
                .hasMessageContainingAll("vtagent.prot", "system properties", "vtagent.port");
    }

    @Test
    void aVariableThatIsNoOptionIsIgnoredWithAWarning() throws Exception {
        AgentOptions options =
                AgentOptions.parse(
                        null,
                        new Properties(),
                        Map.of("VTAGENT_PROT", "1", "VTAGENT_MAX_SITES", "7"));

        assertThat(options.maxSites()).isEqualTo(7);
        assertThat(options.port()).hasValue(21491);
        assertThat(options.warnings())
                .singleElement(STRING)
                .startsWith(
                        "the environment has \"VTAGENT_PROT\", which the agent does not know and"
                                + " ignores");
    }

    @Test
    void whatKubernetesSetsForAServiceOfTheAgentsNameIsOneWarning() throws Exception {
        Map<String, String> environment =
                Map.of(
                        "VTAGENT_PORT", "tcp://10.0.0.1:80",
                        "VTAGENT_SERVICE_HOST", "10.0.0.1",
                        "VTAGENT_SERVICE_PORT", "80",
                        "VTAGENT_PORT_80_TCP", "tcp://10.0.0.1:80",
                        "VTAGENT_PORT_80_TCP_PROTO", "tcp",
                        "VTAGENT_PORT_80_TCP_PORT", "80",
                        "VTAGENT_PORT_80_TCP_ADDR", "10.0.0.1",
                        "VTAGENT_LOG", "debug");
        Path file = folder.resolve("agent.properties");
        Files.writeString(file, "port=4");

        assertThat(AgentOptions.parse(null, new Properties(), environment).port()).hasValue(21491);
        AgentOptions options = AgentOptions.parse("config=" + file, new Properties(), environment);
        assertThat(options.port()).hasValue(4);
        assertThat(options.log()).isEqualTo(AgentLog.Level.DEBUG);
        assertThat(options.warnings())
                .singleElement(STRING)
                .contains(
                        "\"VTAGENT_PORT\", \"VTAGENT_PORT_80_TCP\", ",
                        "\"VTAGENT_SERVICE_PORT\", which");
    }

    @Test
    void theWarningNamesTenVariablesAtMost() throws Exception {
        Map<String, String> environment = new HashMap<>();
        for (int i = 0; i < 100; i++) {
            environment.put("VTAGENT_X" + i, "");
        }
        assertThat(AgentOptions.parse(null, new Properties(), environment).warnings())
                .singleElement(STRING)
                .contains("\"VTAGENT_X0\", ", " and 90 more, which");
    }

    @Test
    void nothingIsWarnedOfWhereAllIsKnown() throws Exception {
        assertThat(
                        AgentOptions.parse(
                                        "port=1",
                                        new Properties(),
                                        Map.of("VTAGENT_LOG", "off", "PATH", "/"))
                                .warnings())
                .isEmpty();
    }

    @Test
    void aColonSeparatesKeyAndValueAsWellForJcmdTakesAwayWhatFollowsAnEqualsSign()
            throws Exception {
        AgentOptions options =
                parse("port:0,bind:::1,tags:app:shop;zone:eu-1,report:pins.txt,max-sites=3");

        assertThat(options.port()).hasValue(0);
        assertThat(options.bind().address().getHostAddress()).isEqualTo("0:0:0:0:0:0:0:1");
        assertThat(options.tags())
                .containsOnly(Map.entry("app", "shop"), Map.entry("zone", "eu-1"));
        assertThat(options.report().file()).isEqualTo(Path.of("pins.txt"));
        assertThat(options.maxSites()).isEqualTo(3);
    }

    @Test
    void aTagMayHaveTheShortestOfNames() throws Exception {
        assertThat(parse("tags=v:2").tags()).containsOnly(Map.entry("v", "2"));
    }

    @ParameterizedTest
    @CsvSource({
        "%p.json, PID.json",
        "a-%p-%p.txt, a-PID-PID.txt",
        "100%%.txt, 100%.txt",
        "%%p.txt, %p.txt",
        "%%%p.txt, %PID.txt",
        "a%20b.txt, a%20b.txt"
    })
    void theProcessIdStandsInTheReportsNameForPercentP(String value, String name) throws Exception {
        assertThat(parse("report=" + value).report().file())
                .isEqualTo(
                        Path.of(name.replace("PID", Long.toString(ProcessHandle.current().pid()))));
    }

    @Test
    void theVariablesOfTheProjectsScriptsAreNoOptions() throws Exception {
        assertThat(
                        AgentOptions.parse(null, new Properties(), Map.of("VTAGENT_JDK_21", "/jdk"))
                                .port())
                .hasValue(21491);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "port=65536 | a port from 0 to 65535",
                "port=http | a port from 0 to 65535",
                "bind= | an address",
                "report=pins.pdf | .txt, .json or .html",
                "stack-threshold=1 | a duration",
                "stack-threshold=-1ms | a duration",
                "stack-threshold=2h | a duration",
                "stack-threshold=99999999999999999999s | a duration",
                "stack-depth=0 | a number from 1 to 1024",
                "max-sites=10001 | a number from 1 to 10000",
                "synchronized=yes | on or off",
                "include=com/acme | package prefixes",
                "app=com/acme | package prefixes",
                "app=. | package prefixes",
                "tags=app | key:value",
                "tags=app: | key:value",
                "histogram=true | on or off",
                "report-stacks=none | on or off",
                "delay-probe=0 | off, or a duration from 1ms to 1h",
                "log=warn | off, error, info or debug",
                "config=no-such-file | a readable file",
            })
    void aBadValueIsNamedWithItsKeyAndWhatWasExpected(String arguments, String expected) {
        String key = arguments.substring(0, arguments.indexOf('='));
        String value = arguments.substring(arguments.indexOf('=') + 1);
        assertThatThrownBy(() -> parse(arguments))
                .isInstanceOf(BadOptionException.class)
                .hasMessageContainingAll(
                        "\"" + key + "\"", "\"" + value + "\"", "expected", expected)
                .hasMessageNotContaining("\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"port", "port=1,histogram"})
    void anArgumentWithoutValueIsNamed(String arguments) {
        assertThatThrownBy(() -> parse(arguments))
                .hasMessageContaining("has no value, expected key=value");
    }

    @Test
    void emptyArgumentsAreNone() throws IOException, BadOptionException {
        assertThat(parse("").port()).hasValue(21491);
        assertThat(parse(" , ,").port()).hasValue(21491);
    }

    private static AgentOptions parse(@Nullable String arguments) throws BadOptionException {
        return AgentOptions.parse(arguments, new Properties(), Map.of());
    }
}
