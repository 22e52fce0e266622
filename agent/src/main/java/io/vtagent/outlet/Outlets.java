package io.vtagent.outlet;

import io.vtagent.history.History;
import io.vtagent.jmx.Measured;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.OtlpUrl;
import io.vtagent.report.PinReport;
import io.vtagent.report.TextReport;
import io.vtagent.thread.AgentThread;
import io.vtagent.watch.Watch;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.jspecify.annotations.Nullable;

/** All ways out, and the thread of the agent's that tells them once a second what was measured. */
public final class Outlets {
    private static final long EVERY_NANOS = 1_000_000_000;

    /** When most applications have started, whose processor time this is. */
    private static final int REHEARSED_AFTER = 10;

    private static final long LONGEST_TASK_SECONDS = 10;

    private final Measurements measurements;
    private final AtExit atExit;
    private final List<Chosen> chosen;
    private final FoundMicrometer micrometer;
    private final FirstLine firstLine;
    private final Jmx jmx;
    private final OnDemand<Served> served;
    private final Queue<FutureTask<?>> tasks = new ConcurrentLinkedQueue<>();

    // for the thread that tells
    private final EachOutlet each = new EachOutlet();
    private boolean watching;
    private boolean begun;
    private boolean ended;
    private long mounts = -1;

    /** @param atExit prints the report when the JVM ends */
    public Outlets(AgentOptions options, AtExit atExit, Measurements measurements) {
        this.measurements = measurements;
        this.atExit = atExit;
        served = new OnDemand<>(() -> served(options));
        micrometer = new FoundMicrometer(measurements.installation().micrometer());
        chosen = List.of(
                new Chosen(options, this::exitReport, by -> List.of(by.report(), by.reportStacks())),
                new Chosen(
                        options,
                        this::endpoint,
                        by -> List.of(by.port(), by.portAsked(), by.bind(), Optional.ofNullable(by.token()))),
                new Chosen(options, this::jfrEvents, by -> List.of(by.jfrEvents())),
                new Chosen(options, this::appRegistry, by -> List.of(by.appRegistry(), by.appRegistrySites())),
                new Chosen(options, this::otlp, by -> List.of(Optional.ofNullable(by.otlp()))));
        firstLine = new FirstLine(
                options, measurements, () -> (HttpEndpoint) chosen.get(1).outlet());
        jmx = new Jmx(
                () -> measured(options, measurements),
                measurements.installation().attached());
    }

    private static Measured measured(AgentOptions options, Measurements measurements) {
        TextReport.Style style = new TextReport.Style(true, options.app());
        return new Measured(measurements.ledger(), measurements::report, measurements::active, style);
    }

    private Outlet exitReport(AgentOptions options) {
        return new ExitReport(
                options.report(),
                atExit,
                (report, format) -> served.get().renderings.of(report, format, options.reportStacks()),
                measurements::lastReport);
    }

    private Outlet endpoint(AgentOptions options) {
        return new HttpEndpoint(options, () -> served.get().routes(measurements));
    }

    private Outlet jfrEvents(AgentOptions options) {
        return options.jfrEvents() ? new JfrEvents(measurements.ledger()) : new Outlet() {};
    }

    private Outlet appRegistry(AgentOptions options) {
        return options.appRegistry() ? new AppRegistry(measurements, options, micrometer) : new Outlet() {};
    }

    private Outlet otlp(AgentOptions options) {
        OtlpUrl receiver = options.otlp();
        return receiver == null ? new Outlet() {} : new OtlpOutlet(options, receiver, measurements);
    }

    /** Why what {@code options} ask for cannot be had, without touching anything; null if it can. */
    public static @Nullable String refusal(AgentOptions options) {
        return Listening.refusal(options);
    }

    /** What is there to be asked for. Its classes and its memory are nothing that the application should have to wait for. */
    private record Served(Meters meters, History history, Renderings renderings, List<Outlet> outlets) {
        Routes routes(Measurements measurements) {
            return new Routes(measurements, meters, history, renderings);
        }
    }

    private Served served(AgentOptions options) {
        History history = new History();
        return new Served(
                new Meters(measurements, options),
                history,
                new Renderings(history, options.app()),
                List.of(new Recording(history, measurements::uptimeNanos)));
    }

    /** Opens what the first line tells of. If that fails nothing is open. */
    public void open() {
        orEnd(() -> chosen.forEach(each -> each.outlet().open()));
    }

    /** Tells the first line, and the rest as soon as the application has begun. If that fails nothing is open. */
    public void start() {
        orEnd(() -> {
            firstLine.open();
            jmx.open();
            AgentThread.start("vt-agent", this::run);
        });
    }

    private void orEnd(Runnable opening) {
        try {
            opening.run();
        } catch (Throwable failure) {
            EachOutlet.end(all());
            throw failure;
        }
    }

    private List<Outlet> all() {
        List<Outlet> all = new ArrayList<>();
        chosen.forEach(each -> all.add(each.outlet()));
        all.add(firstLine);
        all.add(jmx);
        return all;
    }

    private void run() {
        EachSecond eachSecond = new EachSecond(
                measurements::report,
                measurements::uptimeNanos,
                this::isAtRest,
                () -> served.get().history().isAwaited());
        long seconds = 0;
        while (!AgentThread.isOver()) {
            try {
                if (!watching) {
                    measurements.startWatching();
                    watching = true;
                }
            } catch (Throwable noThread) {
                EachOutlet.say(noThread);
            }
            try {
                if (!begun && !ended) {
                    begun = each.begin(all()) == null;
                }
                AgentThread.pause(EVERY_NANOS);
                for (FutureTask<?> task = tasks.poll(); task != null; task = tasks.poll()) {
                    task.run();
                }
                if (AgentThread.isOver()) {
                    return;
                }
                PinReport report = eachSecond.next();
                seconds++;
                if (report == null) {
                    EachOutlet.rest(all());
                    EachOutlet.rest(served.get().outlets());
                    continue;
                }
                EachOutlet.tell(all(), report);
                EachOutlet.tell(served.get().outlets(), report);
                if (seconds >= REHEARSED_AFTER) {
                    each.rehearse(measurements);
                }
            } catch (Throwable passing) {
                failed(passing);
            }
        }
    }

    /**
     * Has those outlets replaced whose options differ. Takes up to a second.
     *
     * @return why one of them cannot be had, in which case all are as before; null if all can
     */
    public @Nullable String become(AgentOptions before, AgentOptions wanted) {
        return onOwnThread(() -> {
            String failure = becomeUnlessRefused(wanted);
            if (failure != null) {
                for (Chosen changed : chosen) {
                    changed.become(before);
                }
                begun = each.begin(all()) == null;
            }
            return failure;
        });
    }

    private @Nullable String becomeUnlessRefused(AgentOptions wanted) {
        try {
            for (Chosen changed : chosen) {
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

    /** Tells the last report, and ends all outlets, whichever of them fail. Takes up to a second. */
    public void end() {
        String failure = onOwnThread(() -> {
            ended = true;
            try {
                EachOutlet.tellLast(all(), measurements.report());
            } finally {
                EachOutlet.end(all());
                EachOutlet.end(served.get().outlets());
            }
            return null;
        });
        if (failure != null) {
            AgentLog.error(failure);
        }
    }

    /** @return what {@code work} does, or why it was not done */
    private @Nullable String onOwnThread(Callable<@Nullable String> work) {
        FutureTask<@Nullable String> task = new FutureTask<>(work);
        tasks.add(task);
        try {
            return task.get(LONGEST_TASK_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException failed) {
            return String.valueOf(failed.getCause());
        } catch (TimeoutException late) {
            boolean unused = task.cancel(false);
            return "the agent's thread has not answered within " + LONGEST_TASK_SECONDS + " s, try again";
        } catch (InterruptedException hurried) {
            Thread.currentThread().interrupt();
            return "it was interrupted";
        }
    }

    /** Whether no virtual thread has run since this was asked last, and none is held or waits for a carrier. */
    private boolean isAtRest() {
        Watch watch = measurements.watch();
        if (watch == null) {
            return false;
        }
        long before = mounts;
        mounts = watch.pool().mounts();
        return mounts == before && watch.held() == 0 && watch.pool().queued() == 0;
    }

    private static void failed(Throwable passing) {
        AgentThread.pause(EVERY_NANOS);
        EachOutlet.say(passing);
    }
}
