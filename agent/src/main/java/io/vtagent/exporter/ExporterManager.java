package io.vtagent.exporter;

import io.vtagent.exporter.history.History;
import io.vtagent.exporter.jmx.Measured;
import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.OtlpUrl;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.thread.AgentThread;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Owns all exporters, and the agent's thread that publishes a report to them once a second. */
public final class ExporterManager {
    private static final long EVERY_NANOS = 1_000_000_000;

    /**
     * The number of seconds before the exporters warm up. Until then most applications are starting
     * and need the CPU.
     */
    private static final int WARMED_UP_AFTER = 10;

    /**
     * The longest time that a caller waits until the thread begins a task, and then until the task
     * is done.
     */
    private static final long MAX_UNTIL_BEGUN_NANOS = TimeUnit.SECONDS.toNanos(10);

    private static final long MAX_TASK_NANOS = TimeUnit.SECONDS.toNanos(15);

    private final MeasurementSource measurements;
    private final ShutdownReportHook atExit;
    private final @Nullable OtelSdk otelSdk;
    private final List<ReconfigurableExporter> chosen;
    private final MicrometerInstances micrometer;
    private final StartupBanner firstLine;
    private final JmxExporter jmx;
    private final Exporter otelMeters;
    private final Lazy<Served> served;
    private final Queue<Task> tasks = new ConcurrentLinkedQueue<>();

    // only for the thread that publishes
    private final ExporterLifecycle each = new ExporterLifecycle();
    private boolean watching;
    private boolean begun;
    private boolean ended;
    private long mounts = -1;

    /**
     * @param atExit prints the report when the JVM ends
     * @param otelSdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     */
    public ExporterManager(
            AgentOptions options,
            ShutdownReportHook atExit,
            MeasurementSource measurements,
            @Nullable OtelSdk otelSdk) {
        this.measurements = measurements;
        this.atExit = atExit;
        this.otelSdk = otelSdk;
        served = new Lazy<>(() -> served(options));
        micrometer = new MicrometerInstances(measurements.installation().micrometer());
        chosen =
                List.of(
                        new ReconfigurableExporter(
                                options,
                                this::exitReport,
                                by -> List.of(by.report(), by.reportStacks())),
                        new ReconfigurableExporter(
                                options,
                                this::endpoint,
                                by ->
                                        List.of(
                                                by.port(),
                                                by.portAsked(),
                                                by.bind(),
                                                Optional.ofNullable(by.token()))),
                        new ReconfigurableExporter(
                                options, this::jfrEvents, by -> List.of(by.jfrEvents())),
                        new ReconfigurableExporter(
                                options,
                                this::pinLog,
                                by -> List.of(by.logPinsNanos(), by.context())),
                        new ReconfigurableExporter(
                                options,
                                this::appRegistry,
                                by -> List.of(by.appRegistry(), by.appRegistrySites())),
                        new ReconfigurableExporter(
                                options, this::otlp, by -> List.of(Optional.ofNullable(by.otlp()))),
                        new ReconfigurableExporter(
                                options,
                                this::spanEvents,
                                by -> List.of(by.otelSpanEventsNanos())));
        firstLine =
                new StartupBanner(
                        options, measurements, () -> (HttpExporter) chosen.get(1).exporter());
        jmx =
                new JmxExporter(
                        () -> measured(options, measurements),
                        measurements.installation().attached());
        otelMeters =
                otelSdk == null
                        ? new Exporter() {}
                        : new OtelMetersExporter(options, otelSdk, measurements);
    }

    private static Measured measured(AgentOptions options, MeasurementSource measurements) {
        TextReport.Style style = new TextReport.Style(true, options.app());
        return new Measured(
                measurements.ledger(),
                measurements::report,
                measurements.answers()::aboutLastMinute,
                measurements::active,
                style);
    }

    private Exporter exitReport(AgentOptions options) {
        return new ExitReport(
                options.report(),
                atExit,
                (report, format) ->
                        served.get().renderings.of(report, format, options.reportStacks()),
                measurements::lastReport);
    }

    private Exporter endpoint(AgentOptions options) {
        return new HttpExporter(options, () -> served.get().routes(measurements));
    }

    private Exporter jfrEvents(AgentOptions options) {
        return options.jfrEvents() ? new JfrEvents(measurements.ledger()) : new Exporter() {};
    }

    private Exporter pinLog(AgentOptions options) {
        return options.logPinsNanos() > 0
                ? new PinLog(
                        measurements.ledger(),
                        measurements::active,
                        options.logPinsNanos(),
                        options.context(),
                        options.app(),
                        AgentLog::info)
                : new Exporter() {};
    }

    private Exporter appRegistry(AgentOptions options) {
        return options.appRegistry()
                ? new AppRegistry(measurements, options, micrometer)
                : new Exporter() {};
    }

    private Exporter otlp(AgentOptions options) {
        OtlpUrl receiver = options.otlp();
        return receiver == null
                ? new Exporter() {}
                : new OtlpExporter(options, receiver, measurements);
    }

    private Exporter spanEvents(AgentOptions options) {
        return options.otelSpanEventsNanos() > 0
                ? new SpanEventsExporter(
                        measurements.ledger(), otelSdk, options.otelSpanEventsNanos())
                : new Exporter() {};
    }

    /**
     * Returns why the exporters that {@code options} ask for cannot be opened, or null if they can.
     * Changes nothing.
     */
    public static @Nullable String refusal(AgentOptions options) {
        return EndpointSocket.refusal(options);
    }

    /**
     * The data that exporters serve on request. It is created lazily, so that the application does
     * not wait for its classes and its memory.
     */
    private record Served(
            Meters meters,
            History history,
            Renderings renderings,
            ThreadsPage threads,
            List<Exporter> exporters) {
        Routes routes(MeasurementSource measurements) {
            return new Routes(measurements, meters, history, renderings, threads);
        }
    }

    private Served served(AgentOptions options) {
        History history = new History(Long.toHexString(measurements.beganNanos()));
        return new Served(
                new Meters(measurements, options),
                history,
                new Renderings(history, options.app()),
                new ThreadsPage(measurements.threads(), options.app()),
                List.of(new Recording(history, measurements::uptimeNanos), measurements.answers()));
    }

    /**
     * Starts sampling the carriers. If a part cannot be started now, for lack of memory, it is
     * started later.
     */
    public void watch() {
        try {
            measurements.startWatching();
        } catch (OutOfMemoryError later) {
            AgentLog.debug("the carriers are not sampled yet:", later);
        }
    }

    /** Opens the exporters that the startup line names. If that fails, no exporter stays open. */
    public void open() {
        orEnd(
                () -> {
                    chosen.forEach(each -> each.exporter().open());
                    otelMeters.open();
                });
    }

    /**
     * Prints the startup line, and begins all exporters as soon as the application has begun. If
     * that fails, no exporter stays open.
     */
    public void start() {
        orEnd(
                () -> {
                    firstLine.open();
                    jmx.open();
                    AgentThread.start("vt-agent", this::run);
                });
    }

    private void orEnd(Runnable opening) {
        try {
            opening.run();
        } catch (Throwable failure) {
            ExporterLifecycle.end(all());
            throw failure;
        }
    }

    private List<Exporter> all() {
        List<Exporter> all = new ArrayList<>();
        chosen.forEach(each -> all.add(each.exporter()));
        all.add(firstLine);
        all.add(jmx);
        all.add(otelMeters);
        return all;
    }

    private void run() {
        PublishSchedule eachSecond =
                new PublishSchedule(
                        measurements::report,
                        measurements::uptimeNanos,
                        this::isIdle,
                        () -> served.get().history().isAwaited());
        long seconds = 0;
        while (!AgentThread.isDetached()) {
            try {
                if (!watching) {
                    measurements.startWatching();
                    watching = true;
                }
            } catch (Throwable noThread) {
                ExporterLifecycle.logFailure(noThread);
            }
            try {
                if (!begun && !ended) {
                    begun = each.begin(all()) == null;
                }
                AgentThread.pause(EVERY_NANOS);
                for (Task task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                if (AgentThread.isDetached()) {
                    return;
                }
                PinReport report = eachSecond.next();
                seconds++;
                if (report == null) {
                    ExporterLifecycle.onIdle(all());
                    ExporterLifecycle.onIdle(served.get().exporters());
                    continue;
                }
                ExporterLifecycle.publish(all(), report);
                ExporterLifecycle.publish(served.get().exporters(), report);
                if (seconds >= WARMED_UP_AFTER) {
                    each.warmUp(measurements);
                }
            } catch (Throwable passing) {
                failed(passing);
            }
        }
    }

    /**
     * Replaces the exporters whose options differ. Takes up to a second.
     *
     * @param then runs when they are replaced, even if that takes so long that the caller has
     *     stopped waiting
     * @return why that failed and what state the exporters are in instead; null on success
     */
    public @Nullable String become(AgentOptions before, AgentOptions wanted, Runnable then) {
        return onOwnThread(
                () -> {
                    String failure = becomeUnlessRefused(wanted);
                    if (failure == null) {
                        then.run();
                        return null;
                    }
                    String left = becomeAgain(before);
                    return failure
                            + (left == null
                                    ? "; nothing was changed"
                                    : "; the previous exporters cannot be restored: " + left);
                });
    }

    /**
     * @return why an exporter cannot be restored; null if all are restored
     */
    private @Nullable String becomeAgain(AgentOptions before) {
        String first = null;
        for (ReconfigurableExporter changed : chosen) {
            String failure;
            try {
                failure = changed.become(before);
            } catch (Exception | VirtualMachineError failed) {
                failure = failed.toString();
            }
            first = first == null ? failure : first;
        }
        begun = each.begin(all()) == null;
        return first;
    }

    private @Nullable String becomeUnlessRefused(AgentOptions wanted) {
        try {
            for (ReconfigurableExporter changed : chosen) {
                String failure = changed.become(wanted);
                if (failure != null) {
                    return failure;
                }
            }
            Throwable failure = each.begin(all());
            begun = failure == null;
            return failure == null ? null : failure.toString();
        } catch (Exception | VirtualMachineError failure) {
            return failure.toString();
        }
    }

    /**
     * Publishes the last report and ends all exporters; a failure of one does not affect the
     * others. Takes up to a second.
     */
    public void end() {
        String failure =
                onOwnThread(
                        () -> {
                            ended = true;
                            try {
                                ExporterLifecycle.publishLast(
                                        all(),
                                        measurements
                                                .answers()
                                                .aboutWholeRun(measurements.report()));
                            } finally {
                                ExporterLifecycle.end(all());
                                ExporterLifecycle.end(served.get().exporters());
                            }
                            return null;
                        });
        if (failure != null) {
            AgentLog.error(failure);
        }
    }

    /**
     * @return the result of {@code work}, or why it was not done
     */
    private @Nullable String onOwnThread(Callable<@Nullable String> work) {
        Task task = new Task(work);
        tasks.add(task);
        return task.await(MAX_UNTIL_BEGUN_NANOS, MAX_TASK_NANOS);
    }

    /**
     * Returns whether no virtual thread has run since the last call, none is mounted, and none
     * waits for a carrier.
     */
    private boolean isIdle() {
        CarrierMonitoring watch = measurements.watch();
        if (watch == null) {
            return false;
        }
        long before = mounts;
        mounts = watch.pool().mounts();
        return mounts == before
                && watch.held() == 0
                && watch.pool().queued() == 0
                && watch.pool().mounted() == 0;
    }

    private static void failed(Throwable passing) {
        AgentThread.pause(EVERY_NANOS);
        ExporterLifecycle.logFailure(passing);
    }
}
