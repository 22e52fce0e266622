package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The demo's cases of what virtual threads are good for and what they are not, in small: their
 * variants order as they should, with a margin for a machine that does other things too.
 */
@Tag("long")
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class DemoThreadsIT {
    private static final String TASKS_PER_SECOND = "tasks/s";
    private static final int CARRIERS = 8;

    @Parameter Jdk jdk = Jdks.jdk21();

    /** The demo and the benchmarks show which of them is faster. */
    @ParameterizedTest
    @ValueSource(strings = {"virtual", "virtual-deep", "platform-many"})
    void whatASwitchTakesIsMeasuredForEverySortOfThread(String variant) {
        try (DemoRun run = run("mount", variant, 20_000, 1)) {
            assertThat(run.figure("ns a switch")).isPositive();
        }
    }

    @Test
    void aSleeperMayWakeUpOnAnotherCarrier() {
        try (DemoRun run = run("mount", "virtual-many", 20_000, 1)) {
            assertThat(run.figure("on another carrier after a sleep, %")).isPositive();
        }
    }

    @Test
    void noMoreCarriersThanThereAreServeManyConnections() {
        try (DemoRun run = run("echo", "1000", 300, 1)) {
            assertThat(run.figure("connections")).isEqualTo(300);
            assertThat(run.figure("carriers")).isBetween(1.0, (double) CARRIERS);
            assertThat(run.result().notes()).isEmpty();
        }
    }

    @Test
    void aProcessWithFewDescriptorsGetsANoteAndConnectsAsManyAsItCan(@TempDir Path home)
            throws IOException, InterruptedException {
        Path real = jdk.home().resolve("bin/java");
        String limited = "#!/bin/sh\nulimit -n 1000\nexec '%s' \"$@\"\n".formatted(real);
        Path script = Files.writeString(home.resolve("script"), limited);
        Path java = Files.createDirectory(home.resolve("bin")).resolve("java");
        // copied by another process: a file cannot be run while any process has it open for writing
        // (ETXTBSY), and those that other tests start inherit what this JVM has open
        String[] install = {"install", "-m", "755", script.toString(), java.toString()};
        assertThat(new ProcessBuilder(install).start().waitFor()).isZero();
        try (DemoRun run = DemoRun.of(home, "echo", "1000", 2_000, 1)) {
            assertThat(run.figure("connections")).isBetween(500.0, 1_000.0);
            assertThat(run.result().notes())
                    .anyMatch(note -> note.contains("there are 1,000 here (ulimit -n)"));
        }
    }

    @Test
    void aPoolDoesNoMoreTasksThanItHasThreadsForThoughTheyAreVirtual() {
        try (DemoRun virtual = run("executors", "virtual", 1_000, 200);
                DemoRun twoHundred = run("executors", "pool-200", 1_000, 200);
                DemoRun pooled = run("executors", "virtual-pool-200", 1_000, 200)) {
            assertThat(virtual.figure(TASKS_PER_SECOND)).isPositive();
            assertThat(twoHundred.figure(TASKS_PER_SECOND))
                    .isLessThan(DemoRun.mostTasksPerSecond(200, 200));
            assertThat(pooled.figure(TASKS_PER_SECOND))
                    .isLessThan(DemoRun.mostTasksPerSecond(200, 200));
        }
    }

    @Test
    void aVirtualThreadThatWaitsTakesLessMemoryThanAPlatformThreadWhichTakesLessThanItReserves() {
        String kibibytes = "KiB a thread";
        String reserved = "reserved for its stack, KiB";
        try (DemoRun virtual = run("many-threads", "virtual", 20_000, 1);
                DemoRun platform = run("many-threads", "platform", 500, 1)) {
            assertThat(virtual.figure("threads")).isEqualTo(20_000);
            assertThat(platform.figure("threads")).isEqualTo(500);
            assertThat(platform.figure(kibibytes) / virtual.figure(kibibytes)).isGreaterThan(3);
            assertThat(platform.figure(reserved) / platform.figure(kibibytes)).isGreaterThan(3);
            // the JVM may start threads of its own meanwhile
            assertThat(virtual.figure(reserved)).isLessThan(20);
        }
    }

    @Test
    void threadsThatComputeOnEveryCarrierDoNotHoldIt() {
        try (DemoRun virtual = run("compute", "virtual", 40, 50);
                DemoRun yielding = run("compute", "virtual-yielding", 40, 50);
                DemoRun moreCarriers = run("compute", "virtual-more-carriers", 40, 50);
                DemoRun platform = run("compute", "platform", 40, 50)) {
            for (DemoRun each : List.of(virtual, yielding, moreCarriers, platform)) {
                assertThat(each.figure("ms late")).isPositive();
            }
            double carrierSeconds = CARRIERS * 40 / virtual.figure(TASKS_PER_SECOND);
            assertThat(virtual.metrics().heldSeconds("kind", "native") / carrierSeconds)
                    .isLessThan(0.2);
            for (String kind : List.of("park", "wait", "enter", "class_init", "io")) {
                assertThat(virtual.metrics().pins("kind", kind)).isZero();
            }
        }
    }

    @Test
    void aTomcatServesNoMoreThanItsPoolHasThreadsForAndVirtualThreadsAndWebFluxServeToo() {
        try (DemoRun pool = run("web", "tomcat-200", 500, 200);
                DemoRun virtual = run("web", "tomcat-virtual", 500, 200);
                DemoRun webflux = run("web", "webflux", 500, 200)) {
            assertThat(requestsPerSecond(pool)).isLessThan(DemoRun.mostTasksPerSecond(200, 200));
            assertThat(requestsPerSecond(virtual)).isPositive();
            assertThat(requestsPerSecond(webflux)).isPositive();
            assertThat(virtual.figure("mean ms")).isGreaterThanOrEqualTo(200);
            assertThat(virtual.result().notes()).isEmpty();
        }
    }

    @Test
    void aSemaphoreKeepsAServiceFromRefusing() {
        try (DemoRun with = run("semaphore", "with", 100, 20);
                DemoRun without = run("semaphore", "without", 100, 20)) {
            assertThat(with.figure("answered, %")).isEqualTo(100);
            assertThat(with.figure("most at a time")).isLessThanOrEqualTo(10);
            assertThat(without.figure("answered, %")).isLessThan(100);
            assertThat(without.figure("most at a time")).isGreaterThan(10);
        }
    }

    @Test
    void aThreadLocalIsMadeOnceForEachVirtualThread() {
        try (DemoRun threadLocal = run("thread-locals", "thread-local", 5_000, 1);
                DemoRun shared = run("thread-locals", "shared", 5_000, 1)) {
            assertThat(threadLocal.figure("instances")).isEqualTo(5_000);
            assertThat(shared.figure("instances")).isEqualTo(1);
            assertThat(threadLocal.figure("bytes a thread"))
                    .isGreaterThan(1.1 * shared.figure("bytes a thread"));
        }
    }

    @Test
    void theTraceOfBlockingCodeIsLongerThanThatOfAChain() {
        try (DemoRun blocking = run("blocking-style", "blocking", 400, 10);
                DemoRun chain = run("blocking-style", "chain", 400, 10);
                DemoRun chainOnVirtual = run("blocking-style", "chain-on-virtual", 400, 10);
                DemoRun onPlatform = run("blocking-style", "blocking-on-platform", 200, 10)) {
            String frames = "own frames in the trace of a failure";

            assertThat(blocking.figure(frames)).isGreaterThan(chain.figure(frames));
            assertThat(chainOnVirtual.figure("pages/s")).isPositive();
            // eight at a time, 20 ms each
            assertThat(onPlatform.figure("pages/s")).isLessThan(DemoRun.mostTasksPerSecond(8, 20));
        }
    }

    private static double requestsPerSecond(DemoRun run) {
        return run.figure("requests/s");
    }

    private DemoRun run(String demoCase, String variant, int tasks, int latencyMillis) {
        return DemoRun.of(jdk, demoCase, variant, tasks, latencyMillis);
    }
}
