package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.within;
import static org.awaitility.Awaitility.await;

import com.sun.jna.Native;
import com.sun.tools.attach.VirtualMachine;
import io.vtagent.it.workload.AlreadyLoaded;
import io.vtagent.it.workload.MixedHolds;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanServerConnection;
import javax.management.ObjectName;
import javax.management.RuntimeMBeanException;
import javax.management.openmbean.CompositeData;
import javax.management.openmbean.TabularData;
import javax.management.remote.JMXConnector;
import javax.management.remote.JMXConnectorFactory;
import javax.management.remote.JMXServiceURL;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent's MXBean, as a client in another JVM sees it, which has none of the agent's classes.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class JmxIT {
    private static final Duration LIMIT = Duration.ofSeconds(60);
    private static final int ROUNDS = 3;
    private static final int MILLIS = 40;

    @Parameter Jdk jdk = Jdks.jdk21();

    /** The bean in a JVM. */
    private record Bean(MBeanServerConnection server, ObjectName name) {
        Object get(String attribute) throws Exception {
            return server.getAttribute(name, attribute);
        }

        double number(String attribute) throws Exception {
            return ((Number) get(attribute)).doubleValue();
        }

        Object call(String operation) throws Exception {
            return server.invoke(name, operation, null, null);
        }

        Object call(String operation, String type, Object argument) throws Exception {
            return server.invoke(name, operation, new Object[] {argument}, new String[] {type});
        }

        Json since(long mark) throws Exception {
            return Json.parse((String) call("since", "long", mark));
        }
    }

    @Test
    void aClientFindsTheFiguresOfTheReportAndWhatHappenedSinceAMark() throws Exception {
        try (ForkedJvm jvm = launch("port=0,report=off").awaitLine("warm");
                JMXConnector connector = connect(jvm)) {
            Bean bean = bean(connector);
            bean.call("keepPins", "int", 1_000);
            long mark = (Long) bean.call("mark");
            jvm.proceed().awaitDone();
            // a sampled pin is counted within a second or two
            await().atMost(LIMIT)
                    .until(() -> ours(bean.since(mark), "sites", "native").findAny().isPresent());
            Json since = bean.since(mark);

            for (MBeanAttributeInfo attribute :
                    bean.server().getMBeanInfo(bean.name()).getAttributes()) {
                assertThat(bean.get(attribute.getName())).as(attribute.getName()).isNotNull();
                assertThat(attribute.getDescription()).contains(" ");
            }
            Json report = jvm.endpoint().report();
            assertThat(bean.number("HeldSeconds"))
                    .isCloseTo(report.get("heldNanos").number() / 1e9, within(0.1));
            assertThat(((TabularData) bean.get("PinsByKind")).values())
                    .extracting(row -> ((CompositeData) row).get("key"))
                    .contains("park", "native");
            assertThat((CompositeData[]) bean.get("Sites"))
                    .anySatisfy(
                            site ->
                                    assertThat((String) site.get("caller"))
                                            .startsWith(MixedHolds.class.getName()));

            assertThat(since.get("forgotten").number()).isZero();
            double counted =
                    ours(since, "sites", "park")
                            .mapToDouble(site -> site.get("count").number())
                            .sum();
            List<Json> pins = ours(since, "pins", "park").toList();
            assertThat(pins)
                    .isNotEmpty()
                    .hasSize((int) counted)
                    .allSatisfy(
                            pin -> {
                                assertThat(pin.get("threadId").number()).isPositive();
                                assertThat(pin.get("heldNanos").number())
                                        .isBetween(1e6, pin.get("endedNanos").number());
                            });
            assertThat(ours(since, "sites", "park"))
                    .allSatisfy(
                            site -> {
                                assertThat(site.get("stack").list()).isNotEmpty();
                                assertThat(site.get("advice").string()).isNotEmpty();
                            });
        }
    }

    @Test
    void aResetIsABeginningForTheBeanAloneAndNotForMarks() throws Exception {
        try (ForkedJvm jvm = launch("port=0,report=off").awaitLine("warm");
                JMXConnector connector = connect(jvm)) {
            Bean bean = bean(connector);
            long mark = (Long) bean.call("mark");
            jvm.proceed().awaitDone();
            await().atMost(LIMIT)
                    .until(() -> ours(bean.since(mark), "sites", "native").findAny().isPresent());
            double held = bean.since(mark).get("report").get("heldNanos").number();
            bean.call("reset");

            assertThat(bean.number("HeldSeconds")).isLessThan(0.1 * held / 1e9);
            assertThat((String) bean.call("report", "java.lang.String", "txt"))
                    .doesNotContain(MixedHolds.class.getName());
            assertThat(
                            Json.parse((String) bean.call("report", "java.lang.String", "json"))
                                    .get("uptimeNanos")
                                    .number())
                    .isLessThan(jvm.endpoint().report().get("uptimeNanos").number());
            assertThat(jvm.metrics().sum("vthread_pinned_seconds_sum") * 1e9)
                    .isGreaterThanOrEqualTo(0.9 * held);
            assertThat(bean.since(mark).get("report").get("heldNanos").number())
                    .isGreaterThanOrEqualTo(held);
            assertThat((String) bean.call("diagnosis")).isEmpty();
            bean.call("forget", "long", mark);
            assertThatThrownBy(() -> bean.since(mark))
                    .isInstanceOf(RuntimeMBeanException.class)
                    .hasRootCauseInstanceOf(IllegalArgumentException.class)
                    .hasStackTraceContaining("expected a result of mark()");
        }
    }

    @Test
    void whereNobodyUsesJmxTheServerIsNotMade(@TempDir Path folder) throws Exception {
        Path loaded = folder.resolve("loaded.txt");
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("-Xlog:class+load:file=" + loaded)
                        .agent("port=0,report=off")
                        .main(AlreadyLoaded.class)
                        .awaitLine("running")) {
            jvm.awaitUptime(3e9);
            assertThat(Files.readString(loaded))
                    .contains("io.vtagent.exporter.JmxExporter ")
                    .doesNotContain(
                            "io.vtagent.exporter.jmx.VtAgentBean ",
                            "com.sun.jmx.mbeanserver.JmxMBeanServer ");
        }
    }

    private ForkedJvm launch(String options) {
        return ForkedJvm.on(jdk)
                .carriers(16)
                .vm(
                        "-Djdk.reflect.useNativeAccessorOnly=true",
                        "--enable-native-access=ALL-UNNAMED")
                .classPath(ForkedJvm.locationOf(Native.class))
                .agent(options)
                .main(MixedHolds.class, ROUNDS, MILLIS);
    }

    /** As JConsole does it: the JVM has no server until then. */
    @SuppressWarnings("BanJNDI") // the server is of this test
    private static JMXConnector connect(ForkedJvm jvm) throws Exception {
        VirtualMachine machine = VirtualMachine.attach(Long.toString(jvm.pid()));
        try {
            return JMXConnectorFactory.connect(
                    new JMXServiceURL(machine.startLocalManagementAgent()));
        } finally {
            machine.detach();
        }
    }

    private static Bean bean(JMXConnector connector) throws Exception {
        Bean bean =
                new Bean(
                        connector.getMBeanServerConnection(),
                        new ObjectName("io.vtagent:type=VtAgent"));
        await().atMost(LIMIT).until(() -> bean.server().isRegistered(bean.name()));
        return bean;
    }

    /** The sites or single pins of the workload. */
    private static Stream<Json> ours(Json since, String what, String kind) {
        Json all = what.equals("sites") ? since.get("report").get(what) : since.get(what);
        return all.list().stream()
                .filter(
                        each ->
                                each.get("kind").string().equals(kind)
                                        && each.get("caller")
                                                .string()
                                                .startsWith("io.vtagent.it.workload."));
    }
}
