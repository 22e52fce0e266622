package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinSite;
import io.vtagent.site.PinnedStack;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class FoldingTest {
    private static final List<String> SERVICE =
            List.of(
                    "java.base/java.lang.VirtualThread.parkOnCarrierThread(VirtualThread.java:1)",
                    "java.base/java.lang.VirtualThread.park(VirtualThread.java:2)",
                    "java.base/sun.nio.ch.NioSocketImpl.park(NioSocketImpl.java:3)",
                    "java.base/java.net.Socket$SocketInputStream.read(Socket.java:4)",
                    "java.base/java.io.BufferedInputStream.fill(BufferedInputStream.java:5)",
                    "java.base/java.io.BufferedInputStream.read(BufferedInputStream.java:6)",
                    "org.postgresql.core.PGStream.receive(PGStream.java:7)",
                    "org.postgresql.core.QueryExecutorImpl.execute(QueryExecutorImpl.java:8)",
                    "org.postgresql.jdbc.PgStatement.execute(PgStatement.java:9)",
                    "com.acme.Stock.level(Stock.java:10)",
                    "com.acme.Stock.levels(Stock.java:11)",
                    "com.acme.Stock.all(Stock.java:12)",
                    "org.springframework.aop.Proxy.invoke(Proxy.java:13)",
                    "org.springframework.aop.Proxy.proceed(Proxy.java:14)",
                    "java.base/java.lang.reflect.Method.invoke(Method.java:15)",
                    "org.springframework.web.Servlet.service(Servlet.java:16)",
                    "jakarta.servlet.http.HttpServlet.service(HttpServlet.java:17)",
                    "com.acme.Filter.filter(Filter.java:18)",
                    "org.apache.catalina.Valve.invoke(Valve.java:19)",
                    "org.apache.coyote.Processor.process(Processor.java:20)",
                    "java.base/java.lang.VirtualThread.run(VirtualThread.java:21)");

    private static final PinSite SITE =
            new PinSite(
                    "org.postgresql.core.QueryExecutorImpl.execute:8",
                    "com.acme.Stock.level:10",
                    "java.net.Socket$SocketInputStream.read",
                    PinKind.PARK);

    @Test
    void framesOfTheJdkAndOfFrameworksBecomeALineThatCountsThem() {
        assertThat(folded(SERVICE, 7, Map.of()))
                .isEqualTo(
                        """
                              ... 3 frames of the JDK ...
                              at java.base/java.net.Socket$SocketInputStream.read(Socket.java:4)
                              at java.base/java.io.BufferedInputStream.fill(BufferedInputStream.java:5)
                              at java.base/java.io.BufferedInputStream.read(BufferedInputStream.java:6)
                              at org.postgresql.core.PGStream.receive(PGStream.java:7)
                           => at org.postgresql.core.QueryExecutorImpl.execute(QueryExecutorImpl.java:8)  <== monitor: Lock
                              at org.postgresql.jdbc.PgStatement.execute(PgStatement.java:9)
                              at com.acme.Stock.level(Stock.java:10)
                              at com.acme.Stock.levels(Stock.java:11)
                              at com.acme.Stock.all(Stock.java:12)
                              ... 3 frames of org.springframework, 1 of the JDK, 1 of jakarta ...
                              at com.acme.Filter.filter(Filter.java:18)
                              ... 2 frames of org.apache, 1 of the JDK ...
                        """);
    }

    @Test
    void whatWasCalledInTheJdkStays() {
        assertThat(folded(SERVICE.subList(2, 10), 5, Map.of()).lines())
                .contains(
                        "      at"
                            + " java.base/java.io.BufferedInputStream.read(BufferedInputStream.java:6)");
        List<String> jdk = SERVICE.subList(0, 3);
        assertThat(folded(jdk, -1, Map.of())).isEqualTo("      ... 3 frames of the JDK ...\n");
    }

    @Test
    void aFrameThatHoldsAMonitorStays() {
        String held = SERVICE.get(13);

        assertThat(
                        folded(
                                SERVICE,
                                7,
                                Map.of(
                                        held,
                                        new PinnedStack.Monitors(
                                                "org.springframework.Lock", null))))
                .contains(
                        """
                              at com.acme.Stock.all(Stock.java:12)
                              at org.springframework.aop.Proxy.invoke(Proxy.java:13)
                              at org.springframework.aop.Proxy.proceed(Proxy.java:14)  <== monitor: org.springframework.Lock
                              ... 1 frame of the JDK, 1 of org.springframework, 1 of jakarta ...
                        """);
    }

    @Test
    void withTheUsersPackagesGivenEveryOtherIsAFrameworks() {
        List<String> frames =
                List.of(
                        "com.acme.A.a(A.java:1)",
                        "com.acme.A.b(A.java:2)",
                        "com.acme.A.c(A.java:3)",
                        "com.acmehouse.B.b(B.java:4)",
                        "net.unheard.of.C.c(C.java:5)",
                        "unpackaged.D.d(D.java:6)",
                        "E.e(E.java:7)",
                        "com.acme.A.main(A.java:8)");

        assertThat(folded(new Folding(List.of("com.acme")), SITE, frames, -1, Map.of()))
                .isEqualTo(
                        """
                              at com.acme.A.a(A.java:1)
                              at com.acme.A.b(A.java:2)
                              at com.acme.A.c(A.java:3)
                              ... 1 frame of com.acmehouse, 1 of net.unheard, 1 of unpackaged, 1 of E ...
                              at com.acme.A.main(A.java:8)
                        """);
        assertThat(folded(new Folding(List.of()), SITE, frames, -1, Map.of()).lines())
                .hasSize(frames.size());
    }

    @Test
    void theUsersOwnIsNeverAFrameworksWhateverItsName() {
        List<String> frames =
                List.of(
                        "org.apache.A.a(A.java:1)",
                        "org.apache.A.b(A.java:2)",
                        "org.apache.A.c(A.java:3)");

        assertThat(folded(new Folding(List.of("org.apache")), SITE, frames, -1, Map.of()).lines())
                .hasSize(3);
        assertThat(folded(new Folding(List.of()), SITE, frames, -1, Map.of()).lines()).hasSize(1);
    }

    @Test
    void theCallerStaysInAFrameworkAndWithoutALineNumber() {
        List<String> frames =
                List.of(
                        "org.apache.A.a(A.java:1)",
                        "org.apache.A.b(A.java:2)",
                        "org.apache.A.c(A.java:3)",
                        "org.apache.A.d(Unknown Source)",
                        "org.apache.A.c(A.java:4)",
                        "org.apache.A.d(A.java:5)",
                        "org.apache.A.e(A.java:6)");
        PinSite site = new PinSite("(none)", "org.apache.A.d:?", "a.B.c", PinKind.PARK);

        assertThat(folded(new Folding(List.of()), site, frames, -1, Map.of()))
                .isEqualTo(
                        """
                              ... 3 frames of org.apache ...
                              at org.apache.A.d(Unknown Source)
                              ... 3 frames of org.apache ...
                        """);
    }

    private static String folded(
            List<String> frames, int holder, Map<String, PinnedStack.Monitors> monitors) {
        return folded(new Folding(List.of()), SITE, frames, holder, monitors);
    }

    private static String folded(
            Folding folding,
            PinSite site,
            List<String> frames,
            int holder,
            Map<String, PinnedStack.Monitors> monitors) {
        StringBuilder text = new StringBuilder();
        folding.append(
                text,
                site,
                new PinnedStack(
                        frames,
                        holder,
                        site.site(),
                        PinnedStack.Cause.MONITOR,
                        "Lock",
                        site.operation(),
                        null,
                        null,
                        monitors));
        return text.toString();
    }
}
