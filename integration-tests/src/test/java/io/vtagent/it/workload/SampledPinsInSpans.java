package io.vtagent.it.workload;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.context.Scope;
import java.util.concurrent.CountDownLatch;

/**
 * {@code MILLIS ROUNDS}: a virtual thread holds its carrier for so long in native code in the inner
 * one of two spans, and sleeps in the outer one after that. Another one waits for a class in a
 * span, and sleeps in the next one. A third one holds its carrier in native code in so many spans,
 * one right after the other, and briefly in one between each two of them.
 */
public final class SampledPinsInSpans {
    private static final int BRIEF_MICROS = 5_000;

    private static final CountDownLatch BEGUN = new CountDownLatch(1);
    private static final CountDownLatch ARRIVED = new CountDownLatch(1);
    private static int millis;

    private SampledPinsInSpans() {}

    private static final class Slow {
        static {
            BEGUN.countDown();
            try {
                ARRIVED.await();
                Thread.sleep(millis);
            } catch (InterruptedException nobodyDoes) {
                throw new AssertionError(nobodyDoes);
            }
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        millis = Integer.parseInt(arguments[0]);
        int rounds = Integer.parseInt(arguments[1]);
        // what the first span and the first call of the C library bring up
        Tasks.run(1, number -> inSpan("warm-up", () -> LibC.usleep(0)));
        WorkloadConsole.printAndWait("warm");
        Tasks.run(1, number -> inSpan("outer", SampledPinsInSpans::outer));
        Thread first = Thread.ofPlatform().start(Slow::initialize);
        BEGUN.await();
        Tasks.run(1, number -> waitForClass());
        first.join();
        Tasks.run(1, number -> alternate(rounds));
        WorkloadConsole.done();
    }

    private static void outer() {
        inSpan("inner", SampledPinsInSpans::sleepInLibrary);
        sleep();
    }

    private static void waitForClass() {
        inSpan(
                "waiting",
                () -> {
                    ARRIVED.countDown();
                    Slow.initialize();
                });
        inSpan("after", SampledPinsInSpans::sleep);
    }

    private static void alternate(int rounds) {
        for (int i = 0; i < rounds; i++) {
            inSpan("long", SampledPinsInSpans::sleepInLibrary);
            inSpan("brief", () -> LibC.usleep(BRIEF_MICROS));
        }
    }

    private static void sleepInLibrary() {
        LibC.usleep(millis * 1_000);
    }

    private static void sleep() {
        try {
            Thread.sleep(2L * millis);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
    }

    @SuppressWarnings("try") // the scope is closed, and that is all
    private static void inSpan(String name, Runnable work) {
        Span span = GlobalOpenTelemetry.getTracer("io.vtagent.it").spanBuilder(name).startSpan();
        try (Scope unused = span.makeCurrent()) {
            work.run();
        } finally {
            span.end();
        }
    }
}
