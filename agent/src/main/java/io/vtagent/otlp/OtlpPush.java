package io.vtagent.otlp;

import io.vtagent.log.AgentLog;
import io.vtagent.log.PlainText;
import io.vtagent.metrics.AgentMeterBinder;
import io.vtagent.options.OtlpUrl;
import io.vtagent.thread.AgentThread;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/**
 * Pushes all meters every now and then, on a thread of its own, which may have to wait for the receiver; the first time after ten seconds,
 * when most applications have started. What is pushed are sums since the agent began, so that a push that fails loses nothing but its moment.
 */
public final class OtlpPush {
    private static final long FIRST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** For how long the last push may take, once it is made. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /** For how long the JVM may wait for its end in the worst case, as when a name server does not answer. */
    private static final long LONGEST_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MOST_SHOWN = 300;
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final OtlpUrl url;
    private final Pushed pushed;
    private final OtlpSettings settings;
    private final Sender sender;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;

    /**
     * What is pushed.
     *
     * @param tags of every meter
     * @param meters makes them, for one registry
     * @param collect brings the figures up to date that they tell
     * @param version of the agent
     * @param uptimeNanos for how long the meters had been counting when this was made
     */
    public record Pushed(
            Map<String, String> tags,
            Supplier<? extends AgentMeterBinder> meters,
            Runnable collect,
            String version,
            long uptimeNanos) {}

    /** @param environment OpenTelemetry's variables */
    public OtlpPush(OtlpUrl url, Pushed pushed, Map<String, String> environment) {
        this.url = url;
        this.pushed = pushed;
        settings = OtlpSettings.of(environment);
        settings.warnings().forEach(AgentLog::info);
        sender = new Sender(url, settings, "vt-agent/" + pushed.version());
        long beganEpochNanos = PushedRegistry.epochNanos() - pushed.uptimeNanos();
        thread = AgentThread.start("vt-agent-otlp", () -> run(beganEpochNanos));
    }

    /** To be called once a second: nothing else ends some of the ways in which a receiver can let one wait. */
    public void look() {
        sender.stopIfOverdue();
    }

    /** Pushes once more, and never again. Returns when that is done or takes too long. */
    public void end() {
        sender.limit(LAST_NANOS);
        AgentThread.countDown(ending);
        long beganNanos = System.nanoTime();
        while (!AgentThread.join(thread, LOOK_NANOS) && System.nanoTime() - beganNanos < LONGEST_END_NANOS) {
            sender.stopIfOverdue();
        }
    }

    private void run(long beganEpochNanos) {
        PushedRegistry registry = null;
        long nextNanos = System.nanoTime() + Math.min(FIRST_AFTER_NANOS, settings.everyNanos());
        boolean last;
        do {
            last = AgentThread.await(ending, nextNanos - System.nanoTime());
            nextNanos = Math.max(nextNanos, System.nanoTime());
            try {
                if (registry == null) {
                    Provenance provenance = new Provenance(pushed.version(), beganEpochNanos);
                    AgentMeterBinder meters = pushed.meters().get();
                    registry = meters.orClosed(() -> new PushedRegistry(
                            settings, pushed.tags(), meters, message -> sender.send(provenance.addTo(message))));
                }
                pushed.collect().run();
                registry.push();
                succeeded();
            } catch (Throwable failed) {
                failed(failed, last);
            }
            nextNanos += settings.everyNanos();
        } while (!last && !AgentThread.isOver());
        if (registry != null) {
            registry.close();
        }
    }

    private void succeeded() {
        if (failing) {
            failing = false;
            AgentLog.info("metrics are pushed to " + url + " again");
        }
    }

    /** One line for all in a row. */
    private void failed(Throwable failed, boolean last) {
        try {
            if (!failing) {
                failing = true;
                AgentLog.error("cannot push " + (last ? "the last " : "") + "metrics to " + url + " ("
                        + PlainText.ofName(reason(failed)) + ")"
                        + (last ? "" : "; tries again every " + settings.everyNanos() / NANOS_PER_MILLI + " ms"));
            }
            AgentLog.debug("cannot push", failed);
        } catch (Throwable noMemory) {
            // then nobody can be told
        }
    }

    private static String reason(Throwable failed) {
        String message = String.valueOf(failed.getMessage());
        String shown = message.substring(0, Math.min(message.length(), MOST_SHOWN));
        return failed instanceof PushException ? shown : failed.getClass().getSimpleName() + ": " + shown;
    }
}
