package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.it.workload.LateLogging;
import io.vtagent.it.workload.Logging;
import io.vtagent.it.workload.OwnLogManager;
import io.vtagent.it.workload.OwnLoggerFinder;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.awaitility.core.ConditionTimeoutException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.ResourceLock;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The endpoint as a user has it: which clients it answers, on which port, and what it leaves alone
 * in the application's JVM.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class EndpointGuardIT {
    private static final int DEFAULT_PORT = 21491;
    private static final String DEFAULT_PORT_LOCK = "port 21491";
    private static final List<String> PAGES =
            List.of("/", "/metrics", "/api/report", "/healthz", "/no/such/page");
    private static final Pattern URL = Pattern.compile("http://([0-9.]+):(\\d+)/metrics");

    @Parameter Jdk jdk = Jdks.jdk21();

    @TempDir Path folder = Path.of("");

    @Test
    void halfOpenRequestsDoNotStopIt() throws IOException {
        List<Socket> halfOpen = new ArrayList<>();
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent().main(Logging.class).awaitDone()) {
            Endpoint endpoint = jvm.endpoint();
            for (int i = 0; i < 40; i++) {
                Socket socket =
                        new Socket(InetAddress.getLoopbackAddress(), endpoint.base().getPort());
                halfOpen.add(socket);
                socket.getOutputStream()
                        .write(
                                "GET /metrics HTTP/1.1\r\nHost: loc"
                                        .getBytes(StandardCharsets.US_ASCII));
            }

            assertThat(endpoint.get("/metrics", "*/*").statusCode()).isEqualTo(200);
        } finally {
            for (Socket socket : halfOpen) {
                socket.close();
            }
        }
    }

    @Test
    void aPageOfTheWebThatResolvesItsNameToThisMachineIsNotAnswered() throws IOException {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent().main(Logging.class).awaitDone()) {
            int port = jvm.endpoint().base().getPort();

            assertThat(ask(port, "Host: localhost:" + port)).startsWith("HTTP/1.1 200 ");
            assertThat(ask(port, "Host: attacker.example"))
                    .startsWith("HTTP/1.1 421 ")
                    .doesNotContain("vthread");
        }
    }

    @Test
    void theTokenIsAskedForAndPrintedNowhere() throws IOException {
        Path file = folder.resolve("token");
        Files.writeString(file, "s3cret-of-the-file\n");
        Path report = folder.resolve("report.json");
        for (String given : List.of("s3cret-itself", file.toString())) {
            String token = given.equals(file.toString()) ? "s3cret-of-the-file" : given;
            try (ForkedJvm jvm =
                    ForkedJvm.on(jdk)
                            .agent("port=0,log=debug,report=" + report + ",token=" + given)
                            .main(Logging.class)
                            .awaitDone()) {
                int port = jvm.endpoint().base().getPort();

                assertThat(ask(port, "Host: localhost")).startsWith("HTTP/1.1 401 ");
                assertThat(ask(port, "Host: localhost\r\nAuthorization: Bearer wrong"))
                        .startsWith("HTTP/1.1 401 ");
                assertThat(ask(port, "Host: localhost\r\nAuthorization: Bearer " + token))
                        .startsWith("HTTP/1.1 200 ")
                        .contains("vthread_")
                        .doesNotContain("s3cret");
                assertThat(jvm.end()).isZero();
                assertThat(jvm.stderr()).noneMatch(line -> line.contains("s3cret"));
                assertThat(jvm.stdout()).noneMatch(line -> line.contains("s3cret"));
                assertThat(Files.readString(report)).doesNotContain("s3cret");
            }
        }
    }

    @Test
    void aTokenThatIsNoneIsNotPrintedEither() {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent("token=not/a s3cret").main(Logging.class)) {
            jvm.end();
            assertThat(jvm.stderr())
                    .singleElement()
                    .asString()
                    .startsWith(
                            "[vt-agent] option \"token\" of the agent's arguments has a value that"
                                    + " is not shown")
                    .doesNotContain("s3cret");
        }
    }

    @Test
    void anAddressThatOthersReachIsReportedWithWhatItExposes() {
        assertThat(linesOf("port=0,report=off,bind=0.0.0.0"))
                .filteredOn(line -> line.startsWith("[vt-agent] the endpoint listens on 0.0.0.0:"))
                .singleElement()
                .asString()
                .contains("class, method and thread names", "token= requires a token");
        assertThat(linesOf("port=0,report=off,bind=0.0.0.0,token=s3cret"))
                .filteredOn(line -> line.startsWith("[vt-agent] the endpoint listens on 0.0.0.0:"))
                .singleElement()
                .asString()
                .contains("with the token", "in clear text");
        assertThat(linesOf("port=0,report=off")).hasSize(1);
    }

    @Test
    @ResourceLock(DEFAULT_PORT_LOCK)
    void whereTheDefaultPortIsTakenAFreeOneIsTakenAndReported() throws IOException {
        try (ServerSocket taken = takeDefaultPort();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk).agent("report=off").main(Logging.class).awaitDone()) {
            Endpoint endpoint = jvm.endpoint();

            assertThat(endpoint.base().getPort()).isNotEqualTo(DEFAULT_PORT);
            assertThat(endpoint.get("/metrics", "*/*").statusCode()).isEqualTo(200);
            assertThat(jvm.stderr()).singleElement().asString().endsWith(" (port 21491 is taken)");
            assertThat(taken.isClosed()).isFalse();
        }
    }

    @Test
    @ResourceLock(DEFAULT_PORT_LOCK)
    void aDefaultPortThatIsAskedForAndTakenIsAnError() throws IOException {
        try (ServerSocket taken = takeDefaultPort();
                ForkedJvm jvm =
                        ForkedJvm.on(jdk)
                                .env("VTAGENT_PORT", "21491")
                                .agent("report=off")
                                .main(Logging.class)
                                .awaitDone()) {
            jvm.awaitStderr(line -> line.contains("; sensors park"));
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr())
                    .anyMatch(
                            line -> line.startsWith("[vt-agent] cannot listen on 127.0.0.1:21491 "))
                    .noneMatch(line -> line.contains("http://"));
            assertThat(taken.isClosed()).isFalse();
        }
    }

    /** The port is bound when it is printed, however long the application takes to start. */
    @Test
    void aPortThatTheFirstLineNamesIsOurs() {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent().main(Logging.class)) {
            Matcher url = URL.matcher(jvm.awaitStderr(line -> URL.matcher(line).find()));
            assertThat(url.find()).isTrue();
            int port = Integer.parseInt(url.group(2));

            assertThat(catchBind(port)).isInstanceOf(BindException.class);
        }
    }

    @Test
    void logManagersThatMainSetsAreHonouredAfterEveryPageWasAsked() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk).agent().main(LateLogging.class, "manager").awaitLine("running")) {
            PAGES.forEach(page -> jvm.endpoint().get(page, "*/*"));
            jvm.proceed().awaitDone();

            assertThat(jvm.fact("logging")).isEqualTo(OwnLogManager.class.getName());
            assertThat(jvm.fact("by")).isEqualTo("initialized by main");
        }
    }

    @Test
    void aLoggerFinderIsNotAskedForBeforeTheApplicationAsksItself() throws IOException {
        Path services = folder.resolve("META-INF").resolve("services");
        Files.createDirectories(services);
        Files.writeString(
                services.resolve("java.lang.System$LoggerFinder"), OwnLoggerFinder.class.getName());
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .classPath(folder)
                        .agent()
                        .main(LateLogging.class, "finder")
                        .awaitLine("running")) {
            PAGES.forEach(page -> jvm.endpoint().get(page, "*/*"));
            jvm.proceed().awaitDone();

            assertThat(jvm.fact("before")).isEqualTo("not initialized");
            assertThat(jvm.fact("by")).isEqualTo("initialized by main");
        }
    }

    @Test
    void itNeedsNotTheModuleOfTheJdksServer() {
        try (ForkedJvm jvm =
                ForkedJvm.on(jdk)
                        .vm("--limit-modules", "java.se,jdk.jfr,jdk.management,jdk.unsupported")
                        .agent()
                        .main(Logging.class)
                        .awaitDone()) {
            for (String page : PAGES.subList(0, 4)) {
                assertThat(jvm.endpoint().get(page, "*/*").statusCode()).isEqualTo(200);
            }
            assertThat(jvm.end()).isZero();
            assertThat(jvm.stderr()).hasSize(1);
        }
    }

    private List<String> linesOf(String options) {
        try (ForkedJvm jvm = ForkedJvm.on(jdk).agent(options).main(Logging.class).awaitDone()) {
            assertThat(jvm.endpoint().isUp()).isTrue();
            assertThat(jvm.end()).isZero();
            return jvm.stderr();
        }
    }

    private static BindException catchBind(int port) {
        try (ServerSocket ours = new ServerSocket(port, 1, InetAddress.getLoopbackAddress())) {
            throw new AssertionError("the port was free: " + ours);
        } catch (BindException taken) {
            return taken;
        } catch (IOException other) {
            throw new AssertionError(other);
        }
    }

    /**
     * Takes the default port as soon as another test's JVM gives it back. If something else than a
     * test holds it all the time, it is taken as well, and this test need not hold it.
     */
    private static ServerSocket takeDefaultPort() throws IOException {
        ServerSocket taken = new ServerSocket();
        try {
            await("port " + DEFAULT_PORT)
                    .atMost(Duration.ofSeconds(30))
                    .pollInterval(Duration.ofMillis(20))
                    .ignoreExceptionsMatching(BindException.class::isInstance)
                    .until(
                            () -> {
                                taken.bind(
                                        new InetSocketAddress(
                                                InetAddress.getLoopbackAddress(), DEFAULT_PORT),
                                        1);
                                return true;
                            });
        } catch (ConditionTimeoutException held) {
            assertThat(taken.isBound()).isFalse();
        }
        return taken;
    }

    private static String ask(int port, String headers) throws IOException {
        try (Socket socket = new Socket(InetAddress.getLoopbackAddress(), port)) {
            socket.getOutputStream()
                    .write(
                            ("GET /metrics HTTP/1.1\r\n" + headers + "\r\n\r\n")
                                    .getBytes(StandardCharsets.US_ASCII));
            return new String(socket.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        }
    }
}
