package io.vtagent;

import io.vtagent.export.Endpoint;
import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Sensor;
import io.vtagent.log.AgentLog;
import io.vtagent.metrics.SiteMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.Token;
import io.vtagent.record.Ledger;
import io.vtagent.record.Sensors;
import io.vtagent.report.PinReport;
import io.vtagent.thread.AgentThread;
import io.vtagent.vm.AfterShutdownHooks;
import io.vtagent.watch.DelayProbe;
import io.vtagent.watch.Watch;
import java.io.IOException;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Tells what was recorded: the line at the start, the endpoint, the report at exit. The endpoint comes up on the agent's own
 * thread, so that {@code main} begins at once.
 */
final class Outputs {
    private static final String VM_AT_ONCE = ", vm from the first virtual thread on";
    private static final long COLLECT_EVERY_NANOS = 1_000_000_000;

    private final AgentOptions options;
    private final Measurements measurements;
    private final Ledger ledger;
    private final @Nullable Watch watch;
    private final Installation installation;
    private final Sensors sensors;

    Outputs(AgentOptions options, Measurements measurements) {
        this.options = options;
        this.measurements = measurements;
        ledger = measurements.ledger();
        watch = measurements.watch();
        installation = measurements.installation();
        sensors = measurements.sensors();
    }

    void start() {
        ExitReport.register(options.report(), this::lastReport);
        ServerSocket listener = Listening.open(options);
        if (listener != null) {
            closeAtTheEnd(listener);
        }
        PinReport.Jvm jvm = measurements.jvm();
        AgentLog.info(jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world()
                + (installation.carriers() ? "; " + inWords() + watching() : "")
                + (listener == null ? "" : "; " + Listening.inWords(listener, options)));
        if (listener != null) {
            Listening.warn(listener, options);
        }
        boolean toBeProved = isToBeProved();
        AgentThread.start("vt-agent", () -> {
            startWatch();
            run(listener, toBeProved);
        });
    }

    private void startWatch() {
        try {
            if (watch != null) {
                watch.start();
            }
            DelayProbe delay = measurements.delay();
            if (delay != null) {
                delay.start();
            }
        } catch (Throwable noThread) {
            AgentLog.error("cannot watch the carriers: " + noThread);
        }
    }

    /** @param toBeProved whether the first line had to say so of a sensor */
    private void run(@Nullable ServerSocket listener, boolean toBeProved) {
        SiteMeters sites = new SiteMeters(ledger);
        boolean toBeServed = listener != null;
        Endpoint toBeRehearsed = null;
        boolean sayProved = toBeProved;
        while (true) {
            try {
                if (listener != null && toBeServed) {
                    toBeRehearsed = serve(listener, sites);
                    toBeServed = false;
                }
                AgentThread.pause(COLLECT_EVERY_NANOS);
                measurements.collect(sites);
                Endpoint endpoint = toBeRehearsed;
                if (endpoint != null) {
                    toBeRehearsed = null;
                    endpoint.rehearse();
                    measurements.rehearse(options);
                    AgentLog.debug("each page was made once");
                }
                if (sayProved && !isToBeProved()) {
                    sayProved = false;
                    AgentLog.info("all sensors have been tested now; " + inWords());
                }
            } catch (Throwable passing) {
                failed(passing);
            }
        }
    }

    private static void failed(Throwable passing) {
        try {
            AgentThread.pause(COLLECT_EVERY_NANOS);
            AgentLog.debug("cannot collect", passing);
        } catch (Throwable noMemory) {
            // nor to say so
        }
    }

    private Endpoint serve(ServerSocket listener, SiteMeters sites) {
        Token token = options.token();
        return new Endpoint(listener, token == null ? null : token.value(), measurements.pages(sites, options));
    }

    /**
     * Has the endpoint closed when all else has ended: a JVM waits at its end for up to 0.3 s for threads in native code (HotSpot's {@code
     * VM_Exit::wait_for_threads_in_native_to_block}), as one is that waits for a connection.
     */
    private static void closeAtTheEnd(ServerSocket listener) {
        try {
            AfterShutdownHooks.run(() -> close(listener));
        } catch (RuntimeException | LinkageError | InternalError otherwise) {
            AgentLog.debug("the JVM will take 0.3 s longer to end", otherwise);
        }
    }

    private static void close(ServerSocket listener) {
        try {
            listener.close();
            AgentLog.debug("the endpoint is closed");
        } catch (IOException closed) {
            // as it should
        }
    }

    /** The report when the JVM ends, with all that was told until then. */
    private PinReport lastReport() {
        if (watch != null) {
            watch.awaitShutdown();
        }
        return measurements.report();
    }

    private String inWords() {
        StringBuilder text = new StringBuilder();
        for (Sensor sensor : installation.sensors().keySet()) {
            text.append(text.isEmpty() ? "sensors " : ", ").append(sensors.inWords(sensor.label()));
        }
        return text.toString();
    }

    /** The sensors that begin later: when the carriers are looked at, and when there are some. */
    private String watching() {
        return watch == null ? "" : (options.nativeSampleNanos() > 0 ? ", native" : "") + vmEvents();
    }

    private String vmEvents() {
        return switch (options.vmEvents()) {
            case OFF -> "";
            case AUTO -> options.nativeSampleNanos() > 0 ? ", vm when it is needed" : VM_AT_ONCE;
            case ON -> VM_AT_ONCE;
        };
    }

    private boolean isToBeProved() {
        return installation.sensors().keySet().stream().anyMatch(sensor -> sensors.isToBeProved(sensor.label()));
    }
}
