package io.vtagent.it.workload;

import io.opentelemetry.api.GlobalOpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Scope;
import java.util.concurrent.atomic.DoubleAdder;

/**
 * {@code MILLIS}: virtual threads hold their carriers in class initializers for so long: one in the
 * outer and in the inner of two spans, and in the outer one also for a tenth of it, another one in
 * no span.
 */
public final class PinsInSpans {
    private static final DoubleAdder SECONDS = new DoubleAdder();
    private static long millis;

    private PinsInSpans() {}

    private static final class InOuter {
        static {
            sleep(millis);
        }

        static void initialize() {}
    }

    private static final class InInner {
        static {
            sleep(millis);
        }

        static void initialize() {}
    }

    private static final class Brief {
        static {
            sleep(millis / 10);
        }

        static void initialize() {}
    }

    private static final class InNoSpan {
        static {
            sleep(millis);
        }

        static void initialize() {}
    }

    public static void main(String[] arguments) throws InterruptedException {
        millis = Long.parseLong(arguments[0]);
        // what the first span brings up
        Tasks.run(1, number -> inSpan("warm-up", () -> {}));
        WorkloadConsole.printAndWait("warm");
        Tasks.run(1, number -> inSpan("outer", PinsInSpans::outer));
        Tasks.run(1, number -> InNoSpan.initialize());
        WorkloadConsole.fact("seconds", SECONDS.sum());
        WorkloadConsole.done();
    }

    private static void outer() {
        InOuter.initialize();
        Brief.initialize();
        inSpan("inner", InInner::initialize);
        WorkloadConsole.fact("trace", Span.current().getSpanContext().getTraceId());
    }

    @SuppressWarnings("try") // the scope is closed, and that is all
    private static void inSpan(String name, Runnable work) {
        Tracer tracer = GlobalOpenTelemetry.getTracer("io.vtagent.it");
        Span span = tracer.spanBuilder(name).startSpan();
        try (Scope unused = span.makeCurrent()) {
            work.run();
        } finally {
            span.end();
        }
    }

    private static void sleep(long sleptMillis) {
        long beganNanos = System.nanoTime();
        try {
            Thread.sleep(sleptMillis);
        } catch (InterruptedException nobodyDoes) {
            throw new AssertionError(nobodyDoes);
        }
        SECONDS.add((System.nanoTime() - beganNanos) / 1e9);
    }
}
