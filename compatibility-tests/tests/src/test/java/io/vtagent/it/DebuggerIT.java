package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.jdi.Bootstrap;
import com.sun.jdi.ReferenceType;
import com.sun.jdi.VirtualMachine;
import com.sun.jdi.connect.AttachingConnector;
import com.sun.jdi.connect.Connector;
import com.sun.jdi.event.BreakpointEvent;
import com.sun.jdi.event.Event;
import com.sun.jdi.event.EventSet;
import com.sun.jdi.request.BreakpointRequest;
import io.vtagent.compatibility.launch.Redefined;
import io.vtagent.compatibility.launch.Server;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** A debugger stops at its breakpoints and replaces classes, with the agent beside it. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DebuggerIT {
    private static final long LIMIT_MILLIS = 60_000;
    private static final int TIMES = 20;

    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void aBreakpointStopsAndAWrappedClassIsReplacedWhileItPinsAndStaysCounted() throws Exception {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .carriers(4)
                        .vm(
                                "-agentlib:jdwp=transport=dt_socket,server=y,suspend=n,address=127.0.0.1:0")
                        .agent()
                        .classPath(
                                ForkedJvm.locationOf(Server.class),
                                Artifacts.jar("pins"),
                                Artifacts.jar("blockhound"))
                        .main(Server.class)) {
            String listening = jvm.awaitStdout(line -> line.startsWith("Listening for transport"));
            ServedApplication served = new ServedApplication(jvm);
            assertThat(served.get("/swapped")).isEqualTo("version 1");
            VirtualMachine vm = attach(listening.substring(listening.lastIndexOf(' ') + 1));

            ReferenceType type = vm.classesByName(Redefined.class.getName()).get(0);
            stopsOnceIn(vm, type, served);
            Metrics atFirst = jvm.metrics();
            CompletableFuture<String> held =
                    CompletableFuture.supplyAsync(() -> served.get("/held"));
            jvm.awaitLine("held");
            if (jdk.monitorsPin()) {
                jvm.awaitMetrics(metrics -> metrics.active("park") == 1);
            }
            vm.redefineClasses(Map.of(type, replaced()));
            vm.dispose();
            assertThat(held).isNotDone();
            assertThat(served.get("/release")).isEqualTo("released");
            // as in every JVM, what was entered before goes on as it was
            assertThat(held.get()).isEqualTo("version 1");
            assertThat(jvm.metrics().since(atFirst).pins("kind", "park"))
                    .isEqualTo(jdk.monitorsPin() ? 1 : 0);

            Metrics before = jvm.metrics();
            for (int i = 0; i < TIMES; i++) {
                assertThat(served.get("/swapped")).isEqualTo("version 2");
            }
            Metrics metrics = jvm.metrics().since(before);
            assertThat(metrics.pins("kind", "park"))
                    .isBetween(jdk.monitorsPin() ? TIMES : 0L, jdk.monitorsPin() ? TIMES + 2L : 0L);
            assertThat(metrics.sites("park").keySet())
                    .allMatch(
                            site ->
                                    site.equals("(unattributed)")
                                            || site.startsWith(
                                                    Redefined.class.getName() + ".version:"));
            assertThat(jvm.end()).isEqualTo(7);
            assertThat(jvm.stderr()).allMatch(line -> line.startsWith("[vt-agent] "));
            assertThat(Lines.complaints(jvm)).isEmpty();
        }
    }

    private static VirtualMachine attach(String address) throws Exception {
        AttachingConnector connector =
                Bootstrap.virtualMachineManager().attachingConnectors().stream()
                        .filter(candidate -> candidate.name().equals("com.sun.jdi.SocketAttach"))
                        .findFirst()
                        .orElseThrow();
        Map<String, Connector.Argument> arguments = connector.defaultArguments();
        int colon = address.lastIndexOf(':');
        argument(arguments, "hostname")
                .setValue(colon < 0 ? "127.0.0.1" : address.substring(0, colon));
        argument(arguments, "port").setValue(address.substring(colon + 1));
        return connector.attach(arguments);
    }

    private static Connector.Argument argument(
            Map<String, Connector.Argument> arguments, String name) {
        return Objects.requireNonNull(arguments.get(name), name);
    }

    private static void stopsOnceIn(VirtualMachine vm, ReferenceType type, ServedApplication served)
            throws Exception {
        BreakpointRequest request =
                vm.eventRequestManager()
                        .createBreakpointRequest(
                                type.methodsByName("version", "()Ljava/lang/String;")
                                        .get(0)
                                        .location());
        request.enable();
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(() -> served.get("/swapped"));
        EventSet events = vm.eventQueue().remove(LIMIT_MILLIS);
        assertThat(events).isNotNull();
        for (Event event : events) {
            if (event instanceof BreakpointEvent stopped) {
                assertThat(stopped.location().method().name()).isEqualTo("version");
                assertThat(answer).isNotDone();
            }
        }
        assertThat(events).anyMatch(BreakpointEvent.class::isInstance);
        request.disable();
        events.resume();
        assertThat(answer.get()).isEqualTo("version 1");
    }

    /** The class file with another constant of the same length. */
    private static byte[] replaced() throws Exception {
        try (InputStream in = Redefined.class.getResourceAsStream("Redefined.class")) {
            String code = new String(in.readAllBytes(), StandardCharsets.ISO_8859_1);
            return code.replace("version 1", "version 2").getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
