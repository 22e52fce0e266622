package io.vtagent.it;

import static io.vtagent.it.workload.WaitingThreads.BORROWERS;
import static io.vtagent.it.workload.WaitingThreads.CONNECTIONS;
import static io.vtagent.it.workload.WaitingThreads.LOCKERS;
import static io.vtagent.it.workload.WaitingThreads.READERS;
import static io.vtagent.it.workload.WaitingThreads.SLEEPERS;
import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.WaitingThreads;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The groups of waiting virtual threads, as the endpoint and the command line report them. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class ThreadsIT {
    private static final String OWN = WaitingThreads.class.getName() + ".";
    private static final int WAITING = BORROWERS - CONNECTIONS;

    @Parameter Jdk jdk = Jdks.jdk21();

    private ForkedJvm start(String what, String... vmOptions) {
        return ForkedJvm.on(jdk)
                .carriers(2)
                .vm(vmOptions)
                .agent()
                .main(WaitingThreads.class, what)
                .awaitLine("ready");
    }

    private static Json threads(ForkedJvm jvm) {
        return Json.parse(jvm.endpoint().get("/api/threads", "*/*").body());
    }

    private static Json at(Json threads, String method) {
        return threads.get("groups").list().stream()
                .filter(group -> textOf(group, "at").startsWith(OWN + method + ":"))
                .findFirst()
                .orElseThrow(() -> new AssertionError(method + " is not in " + threads));
    }

    private static String textOf(Json group, String field) {
        return group.get(field).value() == null ? "" : group.get(field).string();
    }

    @Test
    void threadsAreGroupedByWhatTheyWaitFor() {
        try (ForkedJvm jvm = start("many")) {
            Json threads = threads(jvm);

            Json pool = at(threads, "getConnection");
            assertThat(pool.get("count").number()).isEqualTo(WAITING);
            assertThat(pool.get("state").string()).isEqualTo("parked");
            assertThat(pool.get("waitsFor").string()).isEqualTo("Semaphore");
            assertThat(pool.get("operation").string())
                    .isEqualTo("java.util.concurrent.Semaphore.acquireUninterruptibly");
            assertThat(pool.get("lock").get("name").string()).startsWith("Semaphore@");
            assertThat(pool.get("lock").get("owner").value()).isNull();
            assertThat(pool.get("container").string()).contains("ThreadPerTaskExecutor@");
            assertThat(pool.get("example").get("name").string()).startsWith("request-");
            assertThat(pool.get("share").number()).isBetween(0.8, 1.0);

            Json lock = at(threads, "lock");
            assertThat(lock.get("count").number()).isEqualTo(LOCKERS);
            assertThat(lock.get("waitsFor").string()).isEqualTo("ReentrantLock");
            assertThat(lock.get("lock").get("owner").string())
                    .startsWith("\"owner-of-the-lock\" #");

            Json sockets = at(threads, "read");
            assertThat(sockets.get("count").number()).isEqualTo(READERS);
            assertThat(sockets.get("waitsFor").string()).isEqualTo("socket");
            assertThat(sockets.get("operation").string()).isEqualTo("java.net.Socket.read");

            Json sleepers = at(threads, "sleep");
            assertThat(sleepers.get("count").number()).isEqualTo(SLEEPERS);
            assertThat(sleepers.get("state").string()).isEqualTo("sleeping");

            assertThat(threads.get("waiting").number())
                    .isGreaterThanOrEqualTo(BORROWERS + LOCKERS + READERS + SLEEPERS);
            assertThat(threads.get("sampled").number()).isEqualTo(threads.get("waiting").number());
            assertThat(threads.get("allKnown").isTrue()).isTrue();
            Metrics metrics = jvm.metrics();
            assertThat(metrics.value("vthread_threads", "state", "mounted")).isZero();
            assertThat(metrics.value("vthread_threads", "state", "queued")).isZero();
            assertThat(metrics.value("vthread_threads", "state", "other"))
                    .isEqualTo(threads.get("total").number());
        }
    }

    @Test
    void theCommandLinePrintsTheSame() {
        try (ForkedJvm jvm = start("many")) {
            CommandResult text =
                    CommandResult.of(jdk, "threads", jvm.pid(), "--top", 1).succeeded();

            assertThat(text.err()).isEmpty();
            assertThat(text.text())
                    .contains("virtual threads alive: ")
                    .contains("1. " + WAITING + " threads")
                    .contains("parked, waiting for Semaphore at " + OWN + "getConnection:")
                    .contains("smaller groups of")
                    .doesNotContain(OWN + "lock(");
            CommandResult all = CommandResult.of(jdk, "threads", jvm.endpoint().base()).succeeded();
            assertThat(all.text())
                    .contains("ReentrantLock@", ", which \"owner-of-the-lock\" #")
                    .contains(OWN + "lock(");
            Json json =
                    Json.parse(
                            CommandResult.of(jdk, "threads", jvm.pid(), "--json")
                                    .succeeded()
                                    .text());
            assertThat(at(json, "getConnection").get("count").number()).isEqualTo(WAITING);
        }
    }

    @Test
    void itAnswersWhileAllCarriersAreHeld() {
        try (ForkedJvm jvm = start("stuck")) {
            Json threads = threads(jvm);

            assertThat(threads.get("mounted").number()).isEqualTo(2);
            assertThat(at(threads, "getConnection").get("count").number()).isEqualTo(WAITING);
            assertThat(at(threads, "await").get("count").number()).isPositive();
            assertThat(threads.get("groups").list())
                    .filteredOn(group -> textOf(group, "state").equals("mounted"))
                    .hasSize(2);
            assertThat(threads.get("groups").list())
                    .filteredOn(group -> textOf(group, "state").equals("queued"))
                    .hasSize(1);
        }
    }

    @Test
    void nothingIsCountedWrongWhereTheJdkDoesNotListAllThreads() {
        try (ForkedJvm jvm = start("many", "-Djdk.trackAllThreads=false")) {
            Json threads = threads(jvm);

            assertThat(threads.get("allKnown").isTrue()).isFalse();
            assertThat(at(threads, "getConnection").get("count").number()).isEqualTo(WAITING);
            assertThat(jvm.endpoint().get("/threads", "*/*").body())
                    .contains("threads that were started directly are missing");
            assertThat(jvm.metrics().value("vthread_threads", "state", "other")).isNaN();
            assertThat(jvm.endpoint().get("/report", "*/*").body())
                    .contains("the number of virtual threads is not known");
        }
    }

    /** A reading ends after 2 s, so one that is complete has taken less. */
    @Test
    @Tag("long")
    void aMillionThreadsAreReadInTwoSecondsAndFiftyMebibytes() {
        try (ForkedJvm jvm = start("million", "-Xmx2g")) {
            assertThat(jvm.endpoint().get("/healthz", "*/*").body()).startsWith("ok");
            double before = jvm.proceed().awaitLine("measured").number("before");

            Json threads = threads(jvm);

            double after = jvm.proceed().number("after");
            assertThat(threads.get("complete").isTrue()).isTrue();
            assertThat(threads.get("waiting").number())
                    .isGreaterThanOrEqualTo(WaitingThreads.MILLION - CONNECTIONS);
            assertThat(threads.get("sampled").number()).isEqualTo(2_000);
            assertThat(at(threads, "getConnection").get("count").number())
                    .isGreaterThan(0.99 * WaitingThreads.MILLION);
            assertThat(after - before).isPositive().isLessThan(50 << 20);
        }
    }

    @Test
    void aThreadThatIsReadyAndInNoQueueIsAGroupOfItsOwn() {
        try (ForkedJvm jvm = start("lost", "--add-opens=java.base/java.lang=ALL-UNNAMED")) {
            Json threads = threads(jvm);

            Json lost =
                    threads.get("groups").list().stream()
                            .filter(group -> textOf(group, "state").equals("lost"))
                            .findFirst()
                            .orElseThrow(() -> new AssertionError(threads.toString()));
            assertThat(lost.get("count").number()).isEqualTo(1);
            assertThat(lost.get("example").get("name").string()).isEqualTo("lost-one");
            assertThat(lost.get("longestNanos").number()).isGreaterThan(1e9);
            assertThat(threads.get("queued").number()).isZero();
        }
    }
}
