package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.vtagent.demo.Catalogue;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The agent's answer to each variant of each case of the demo. It is that of the run when it is
 * over, as {@code ./demo} prints it. Where threads wait for something other than a carrier, it is
 * that while they do, since nothing waits when the run is over.
 */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoAnswersIT {
    private static final String DEMO = "io.vtagent.demo.";
    private static final String AT = "    at ";

    /** A diagnosis is made after 5 s, and a run may wait for others that are tested meanwhile. */
    private static final Duration LIMIT = Duration.ofSeconds(60);

    /**
     * The carriers that the JVM itself may hold on average while it starts and loads classes, which
     * is harmless where nothing else is the answer.
     */
    private static final double MOMENT = 0.1;

    @Parameter Jdk jdk = Jdks.jdk21();

    /**
     * The case, its variant, the tasks, the milliseconds for which each is blocked, the answer
     * where monitors pin, and the answer elsewhere. Up to JDK 23 the JVM holds carriers while it
     * loads classes, which a second of much work at its start shows. Another test may use the CPUs.
     * The next line has the answer's line, if it has one: the method, without the demo's package,
     * and what its line contains, if that is certain.
     */
    private static final String QUICK =
            """
            article-cache   pinned                         400    50  held           nothing
                at articlecache.ArticleCache.fetchWithCache client.get(path)
            connection-pool fixed                         1000    80  waiting        waiting
                at connectionpool.VirtualThreadFriendlyPool.checkout permits.acquire();
            """;

    private static final String LONG =
            """
            article-cache   fixed                          400    50  nothing        nothing
            connection-pool pinned                        1000    80  held|harmless  waiting
                at connectionpool.SimpleConnectionPool.checkout
            http-refresh    pinned                         400    50  held           nothing
                at httprefresh.HttpRefreshDemo$SynchronizedClient.token up to JDK 23 this holds
            http-refresh    fixed                          400    50  nothing        nothing
            metrics-map     pinned                        5000     1  held           nothing|busy
                at metricsmap.MetricsMapDemo$SynchronizedMetrics.record
            metrics-map     fixed                        50000     1  busy|held      busy
            monitors        synchronized-own               100    50  held           nothing
                at monitors.MonitorsDemo.inMonitor return io(millis); // up to JDK 23
            monitors        lock-own                       100    50  nothing        nothing
            monitors        synchronized-shared            100    50  held           waiting
                at monitors.MonitorsDemo.inMonitor
            monitors        lock-shared                    100    50  waiting        waiting
                at monitors.MonitorsDemo.locked lock.lock();
            monitors        no-lock                        100    50  nothing        nothing
            monitors        synchronized-own-relieved      100    50  held|harmless  nothing
                at monitors.MonitorsDemo.inMonitor return io(millis); // up to JDK 23
            relief          own-monitors                   100    50  held           nothing
                at relief.ReliefDemo.sleep up to JDK 23 this holds a
            relief          own-monitors-relieved          100    50  held|harmless  nothing
                at relief.ReliefDemo.sleep up to JDK 23 this holds a
            relief          own-monitors-1024-relieved     100    50  held|harmless  nothing
                at relief.ReliefDemo.sleep up to JDK 23 this holds a
            relief          own-locks                      100    50  nothing        nothing
            relief          own-locks-relieved             100    50  nothing        nothing
            relief          shared-monitor                 100    50  held           waiting
                at relief.ReliefDemo.sleep
            relief          shared-monitor-relieved        100    50  held|harmless  waiting
                at relief.ReliefDemo.sleep
            relief          article-cache                  200   100  held           nothing
                at articlecache.ArticleCache.fetchWithCache client.get(path)
            relief          article-cache-relieved         200   100  held|harmless  nothing
                at articlecache.ArticleCache.fetchWithCache
            relief          connection-pool               1000    80  held|harmless  waiting
                at connectionpool.SimpleConnectionPool.checkout
            relief          connection-pool-relieved      1000    40  held|harmless  waiting
                at connectionpool.SimpleConnectionPool.checkout
            relief          deadlock                         1    10  stuck          nothing
                at relief.ReliefDemo.deadlocked
            relief          deadlock-relieved                1    10  held|harmless  nothing
                at relief.ReliefDemo.deadlocked
            relief          hang                             1    10  harmless       stuck
                at relief.ReliefDemo.readers read.invoke(null, socket)
            relief          hang-relieved                    1    10  held|harmless  held|harmless
                at relief.ReliefDemo.readers read.invoke(null, socket)
            mount           virtual                     300000     1  nothing|busy   nothing|busy
            mount           virtual-deep                300000     1  nothing|busy   nothing|busy
            mount           virtual-many               1000000     1  busy|held      busy
            mount           platform                     20000     1  nothing        nothing
            mount           platform-many                20000     1  nothing        nothing
            carriers        sleep-2-256                    100    50  held           nothing
                at carriers.CarriersDemo.run Thread.sleep(settings.latencyMillis())
            carriers        sleep-8-256                    200    50  held           nothing
                at carriers.CarriersDemo.run Thread.sleep(settings.latencyMillis())
            carriers        sleep-16-256                   400    50  held           nothing
                at carriers.CarriersDemo.run Thread.sleep(settings.latencyMillis())
            carriers        sleep-8-512                    200    50  held           nothing
                at carriers.CarriersDemo.run Thread.sleep(settings.latencyMillis())
            carriers        wait-8-8                       200    50  held           nothing
                at carriers.CarriersDemo.run monitors[number].wait(
            carriers        wait-8-64                      400   100  held           nothing
                at carriers.CarriersDemo.run monitors[number].wait(
            carriers        wait-8-256                      60   100  held|harmless  nothing
                at carriers.CarriersDemo.run monitors[number].wait(
            native          native-frame                   200    50  held           held
                at nativeframes.NativeDemo.task yield number -> sleep.invoke
            native          class-initializer              200    50  held           held
                at nativeframes.NativeDemo$SleepsWhenInitialized.<clinit> // in a class initializer
            native          monitor                        200    50  held           nothing
                at nativeframes.NativeDemo.task // in a monitor
            native          nothing                        200    50  nothing        nothing
            file-io         file                          1280    50  harmless       held
                at fileio.Pipes$OfFiles.read holds a carrier on every JDK
            file-io         channel                       6400    50  waiting        waiting
                at fileio.Pipes$OfChannels.read .source().read(
            finding         trace-pinned-threads             3    40  none           waiting
                at finding.PinnedWorkload
            finding         jfr                              3    40  waiting        waiting
                at finding.PinnedWorkload
            finding         async-profiler                   3    40  waiting        waiting
                at finding.PinnedWorkload
            finding         micrometer                       3    40  waiting        waiting
                at finding.PinnedWorkload
            finding         vt-agent                         3    40  waiting        waiting
                at finding.PinnedWorkload.sleepsOn Thread.sleep(FOREVER_MILLIS)
            echo            1000                           100     1  nothing        nothing
            echo            10000                          100     1  nothing        nothing
            echo            100000                         100     1  nothing        nothing
            many-threads    virtual                       2000     1  nothing|busy   nothing|busy
            many-threads    platform                       500     1  nothing        nothing
            executors       virtual                        200  3000  waiting        waiting
                at executors.ExecutorsDemo.request Thread.sleep(millis)
            executors       pool-200                       200    50  nothing        nothing
            executors       pool-500                       500    50  nothing        nothing
            executors       pool-800                       800    50  nothing        nothing
            executors       pool-1000                     1000    50  nothing        nothing
            executors       virtual-pool-200               400  2000  waiting        waiting
                at executors.ExecutorsDemo.request Thread.sleep(millis)
            compute         virtual                        120    50  busy           busy
                at compute.ComputeDemo.compute
            compute         virtual-yielding               120    50  busy           busy
                at compute.ComputeDemo.compute
            compute         virtual-more-carriers          120    50  nothing|busy   nothing|busy
            compute         platform                       100    50  nothing        nothing
            web             tomcat-200                      50    50  nothing        nothing
            web             tomcat-512                      50    50  nothing        nothing
            web             tomcat-800                      50    50  nothing        nothing
            web             tomcat-virtual                  20   800  waiting        waiting
                at web.servers.TomcatServer$BlockingServlet.doGet Thread.sleep(latencyMillis)
            web             webflux                         50    50  nothing        nothing
            semaphore       without                        500    20  nothing        nothing
            semaphore       with                           500   100  waiting        waiting
                at semaphore.SemaphoreDemo$Caller.call permits.acquire();
            thread-locals   thread-local                  2000     1  nothing        nothing
            thread-locals   shared                        2000     1  nothing        nothing
            blocking-style  chain                          400    50  nothing        nothing
            blocking-style  chain-on-virtual               400    50  nothing        nothing
            blocking-style  blocking                      1000   200  waiting        waiting
                at blockingstyle.BlockingStyleDemo$Blocking.page
            blocking-style  blocking-on-platform            50    50  nothing        nothing
            """;

    /**
     * @param wherePinning the kinds of answer where monitors pin, as a regular expression
     * @param elsewhere the same on other JDKs
     * @param method empty if the answer has no line
     * @param code empty if the line may be any that begins with {@code method}
     */
    record Row(
            String demoCase,
            String variant,
            int tasks,
            int millis,
            String wherePinning,
            String elsewhere,
            String method,
            String code) {
        static Row of(String line) {
            String[] columns = line.split(" +", 6);
            return new Row(
                    columns[0],
                    columns[1],
                    Integer.parseInt(columns[2]),
                    Integer.parseInt(columns[3]),
                    columns[4],
                    columns[5],
                    "",
                    "");
        }

        Row at(String place) {
            String[] methodAndCode = (place + " ").split(" ", 2);
            return new Row(
                    demoCase,
                    variant,
                    tasks,
                    millis,
                    wherePinning,
                    elsewhere,
                    methodAndCode[0],
                    methodAndCode[1].strip());
        }

        /** Returns the file of the method's class, below the demo's package. */
        String source() {
            String type = method.substring(0, method.lastIndexOf('.')).replaceFirst("\\$.*", "");
            return type.replace('.', '/') + ".java";
        }

        @Override
        public String toString() {
            return demoCase + ", " + variant;
        }
    }

    private static List<Row> quickRows() {
        return rows(QUICK);
    }

    private static List<Row> longRows() {
        return rows(LONG);
    }

    private static List<Row> rows(String table) {
        List<Row> rows = new ArrayList<>();
        for (String line : table.lines().toList()) {
            if (line.startsWith(AT)) {
                rows.add(rows.removeLast().at(line.substring(AT.length())));
            } else {
                rows.add(Row.of(line));
            }
        }
        return rows;
    }

    @Test
    void eachVariantOfEachCaseHasARow() {
        List<String> variants = new ArrayList<>();
        Catalogue.CASES.forEach(
                demoCase ->
                        demoCase.variants()
                                .forEach(each -> variants.add(demoCase.name() + ", " + each)));

        assertThat(Stream.concat(quickRows().stream(), longRows().stream()).map(Row::toString))
                .containsExactlyInAnyOrderElementsOf(variants);
    }

    @ParameterizedTest
    @MethodSource("quickRows")
    void theAnswerToACaseNamesItsCauseAndLine(Row row) throws IOException {
        check(row);
    }

    @Tag("long")
    @ParameterizedTest
    @MethodSource("longRows")
    void theAnswerToEachOtherCaseNamesItsCauseAndLine(Row row) throws IOException {
        check(row);
    }

    private void check(Row row) throws IOException {
        String kind = jdk.monitorsPin() ? row.wherePinning : row.elsewhere;
        try (DemoRun run =
                DemoRun.begun(jdk.home(), row.demoCase, row.variant, row.tasks, row.millis)) {
            if (kind.equals("waiting")) {
                await("the answer to " + row)
                        .atMost(LIMIT)
                        .untilAsserted(() -> check(run.answer(), kind, row));
                return;
            }
            run.result();
            if (kind.equals("none")) {
                run.awaitAgentStaysOut();
            } else if (kind.equals("stuck")) {
                await("the answer to " + row)
                        .atMost(LIMIT)
                        .untilAsserted(() -> check(run.answer(), kind, row));
            } else {
                check(run.answer(), kind, row);
            }
        }
    }

    private static void check(Json answer, String kinds, Row row) throws IOException {
        String all = String.valueOf(answer.value());
        String kind = answer.get("kind").string();
        boolean mayBeNothing = kinds.startsWith("nothing");
        if (mayBeNothing && kind.equals("harmless")) {
            Json evidence = answer.get("evidence");
            assertThat(evidence.get("heldSeconds").number())
                    .as(all)
                    .isLessThan(MOMENT * evidence.get("periodSeconds").number());
            return;
        }
        assertThat(kind).as(all).matches(kinds);
        assertThat(answer.get("text").string())
                .matches("(?s)(" + AnswerIT.startOfText(kind) + "|Pinning, but nobody waits).*");
        if (kind.equals("nothing")) {
            assertThat(answer.get("line").value()).as(all).isNull();
        } else if (kind.equals("held") && row.method.isEmpty()) {
            assertThat(String.valueOf(answer.get("line").value()))
                    .as("not a line of the demo itself")
                    .doesNotContain(DEMO);
        } else if (!row.method.isEmpty() && !mayBeNothing) {
            String line = answer.get("line").string().replaceFirst("lambda\\$(\\w+)\\$\\d+", "$1");
            if (row.code.isEmpty()) {
                assertThat(line).as(all).startsWith(DEMO + row.method);
            } else {
                int number = DemoRun.lineOf(row.source(), row.code);
                assertThat(line).as(all).isEqualTo(DEMO + row.method + ":" + number);
            }
        }
    }
}
