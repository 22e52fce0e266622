package io.vtagent.outlet;

import io.vtagent.history.History;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import io.vtagent.thread.AgentThread;
import io.vtagent.watch.Watch;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;

/** All ways out, and the thread of the agent's that tells them once a second what was measured. */
public final class Outlets {
    private static final long EVERY_NANOS = 1_000_000_000;

    /** While nothing happens it is measured in one second of so many, and in the others the same as before. */
    private static final int REST = 10;

    /** When most applications have started, whose processor time this is. */
    private static final int REHEARSED_AFTER = 10;

    private final AgentOptions options;
    private final Measurements measurements;
    private final List<Outlet> opened;
    private final OnDemand<Served> served = new OnDemand<>(this::served);
    private long mounts = -1;

    public Outlets(AgentOptions options, Measurements measurements) {
        this.options = options;
        this.measurements = measurements;
        HttpEndpoint endpoint = new HttpEndpoint(options, () -> served.get().routes(measurements));
        opened = List.of(
                new ExitReport(
                        options.report(),
                        (report, format) -> served.get().renderings.of(report, format, options.reportStacks()),
                        measurements::lastReport),
                endpoint,
                new FirstLine(options, measurements, endpoint));
    }

    /** What is there to be asked for. Its classes and its memory are nothing that the application should have to wait for. */
    private record Served(Meters meters, History history, Renderings renderings) {
        Routes routes(Measurements measurements) {
            return new Routes(measurements, meters, history, renderings);
        }

        List<Outlet> outlets() {
            return List.of(new Recording(history));
        }
    }

    private Served served() {
        History history = new History();
        return new Served(new Meters(measurements, options), history, new Renderings(history, options.app()));
    }

    /** Tells the first line, and the rest as soon as the application has begun. */
    public void start() {
        opened.forEach(Outlet::open);
        AgentThread.start("vt-agent", () -> {
            measurements.startWatching();
            run();
        });
    }

    private void run() {
        Deque<Outlet> toBegin = new ArrayDeque<>(opened);
        Deque<Outlet> toRehearse = new ArrayDeque<>();
        PinReport newest = null;
        long seconds = 0;
        while (true) {
            try {
                for (Outlet next = toBegin.peek(); next != null; next = toBegin.peek()) {
                    next.begin();
                    toRehearse.add(toBegin.remove());
                }
                AgentThread.pause(EVERY_NANOS);
                PinReport before = newest;
                PinReport report = before == null || seconds % REST == 0 || !isAtRest()
                        ? measurements.report()
                        : before.later(measurements.uptimeNanos());
                newest = report;
                seconds++;
                tell(opened, report);
                tell(served.get().outlets(), report);
                if (seconds >= REHEARSED_AFTER) {
                    rehearse(toRehearse);
                }
            } catch (Throwable passing) {
                failed(passing);
            }
        }
    }

    private static void tell(List<Outlet> outlets, PinReport report) throws Exception {
        for (Outlet outlet : outlets) {
            outlet.tell(report);
        }
    }

    /** Whether no virtual thread has run since this was asked last, and none is held. */
    private boolean isAtRest() {
        Watch watch = measurements.watch();
        if (watch == null) {
            return false;
        }
        long before = mounts;
        mounts = watch.pool().mounts();
        return mounts == before && watch.held() == 0 && watch.pool().queued() == 0;
    }

    private void rehearse(Deque<Outlet> outletsToRehearse) throws Exception {
        if (!outletsToRehearse.isEmpty()) {
            Measurements madeUp = measurements.madeUp();
            while (!outletsToRehearse.isEmpty()) {
                outletsToRehearse.remove().rehearse(madeUp);
            }
            AgentLog.debug("each page was made once");
        }
    }

    private static void failed(Throwable passing) {
        try {
            AgentThread.pause(EVERY_NANOS);
            AgentLog.debug("cannot collect", passing);
        } catch (Throwable noMemory) {
            // nor to say so
        }
    }
}
