package io.vtagent.exporter.otlp;

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
 * Pushes all meters periodically, on its own thread, which may have to wait for the receiver. The
 * first push comes after ten seconds, when most applications have started, or after one interval if
 * that is shorter. The pushed values are totals since the agent began, so that a failed push loses
 * only one point in time.
 */
public final class OtlpPush {
    private static final long FIRST_AFTER_NANOS = TimeUnit.SECONDS.toNanos(10);

    /** The longest duration of the last push. */
    private static final long LAST_NANOS = TimeUnit.SECONDS.toNanos(2);

    /**
     * The longest time that the JVM's end may be delayed in the worst case, for example by a name
     * server that does not answer.
     */
    private static final long MAX_END_NANOS = TimeUnit.SECONDS.toNanos(5);

    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final int MAX_SHOWN = 300;
    private static final long POLL_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private final OtlpUrl url;
    private final Pushed pushed;
    private final OtlpSettings settings;
    private final Sender sender;
    private final CountDownLatch ending = new CountDownLatch(1);
    private final Thread thread;
    private boolean failing;

    /**
     * The data to push.
     *
     * @param tags the tags of every meter
     * @param meters creates the meters for one registry
     * @param collect brings the values of the meters up to date
     * @param version of the agent
     * @param uptimeNanos how long the meters had been counting when this was created
     */
    public record Pushed(
            Map<String, String> tags,
            Supplier<? extends AgentMeterBinder> meters,
            Runnable collect,
            String version,
            long uptimeNanos) {}

    /**
     * @param environment the environment with OpenTelemetry's variables
     */
    public OtlpPush(OtlpUrl url, Pushed pushed, Map<String, String> environment) {
        this.url = url;
        this.pushed = pushed;
        settings = OtlpSettings.of(environment);
        settings.warnings().forEach(AgentLog::info);
        sender = new Sender(url, settings, "vt-agent/" + pushed.version());
        long beganEpochNanos = PushedRegistry.epochNanos() - pushed.uptimeNanos();
        thread = AgentThread.start("vt-agent-otlp", () -> run(beganEpochNanos));
    }

    /**
     * Aborts an overdue push. Must be called once a second, because some waits for a receiver have
     * no other time limit.
     */
    public void abortIfOverdue() {
        sender.stopIfOverdue();
    }

    /** Pushes for the last time. Returns when the push is done or takes too long. */
    public void end() {
        sender.limit(LAST_NANOS);
        AgentThread.countDown(ending);
        long beganNanos = System.nanoTime();
        while (!AgentThread.join(thread, POLL_NANOS)
                && System.nanoTime() - beganNanos < MAX_END_NANOS) {
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
                    ResourceDecorator provenance =
                            new ResourceDecorator(pushed.version(), beganEpochNanos);
                    AgentMeterBinder meters = pushed.meters().get();
                    registry =
                            meters.orClosed(
                                    () ->
                                            new PushedRegistry(
                                                    settings,
                                                    pushed.tags(),
                                                    meters,
                                                    message ->
                                                            sender.send(
                                                                    provenance.addTo(message))));
                }
                pushed.collect().run();
                registry.push();
                succeeded();
            } catch (Throwable failed) {
                failed(failed, last);
            }
            nextNanos += settings.everyNanos();
        } while (!last && !AgentThread.isDetached());
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

    /** Logs one line for consecutive failures. */
    private void failed(Throwable failed, boolean last) {
        try {
            if (!failing) {
                failing = true;
                AgentLog.error(
                        "cannot push "
                                + (last ? "the last " : "")
                                + "metrics to "
                                + url
                                + " ("
                                + PlainText.ofName(reason(failed))
                                + ")"
                                + (last
                                        ? ""
                                        : "; retries every "
                                                + settings.everyNanos() / NANOS_PER_MILLI
                                                + " ms"));
            }
            AgentLog.debug("cannot push", failed);
        } catch (Throwable noMemory) {
            // cannot be logged either
        }
    }

    private static String reason(Throwable failed) {
        String message = String.valueOf(failed.getMessage());
        String shown = message.substring(0, Math.min(message.length(), MAX_SHOWN));
        return failed instanceof PushException
                ? shown
                : failed.getClass().getSimpleName() + ": " + shown;
    }
}
