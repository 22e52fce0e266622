package io.vtagent.outlet;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Sensor;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.Sensors;
import io.vtagent.report.PinReport;
import io.vtagent.thread.Shutdown;
import io.vtagent.watch.Watch;
import java.util.function.Supplier;

/** The line at the start, on stderr; and another one, when sensors that were not proved by then have been. */
final class FirstLine implements Outlet {
    private static final String NATIVE = "native";

    private final AgentOptions options;
    private final Measurements measurements;
    private final Supplier<HttpEndpoint> endpoint;
    private final Installation installation;
    private final Sensors sensors;
    private boolean toBeProved;

    FirstLine(AgentOptions options, Measurements measurements, Supplier<HttpEndpoint> endpoint) {
        this.options = options;
        this.measurements = measurements;
        this.endpoint = endpoint;
        installation = measurements.installation();
        sensors = measurements.sensors();
    }

    @Override
    public void open() {
        PinReport.Jvm jvm = measurements.jvm();
        String line = jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world()
                + (installation.carriers() ? "; " + inWords() + watching() : "")
                + endpoint.get().inWords()
                + (options.otlp() == null ? "" : "; metrics are pushed to " + options.otlp());
        if (Shutdown.hasBegun()) { // and the last line is told
            return;
        }
        AgentLog.info(line);
        endpoint.get().warn();
        toBeProved = isToBeProved();
    }

    @Override
    public void tell(PinReport report) {
        if (toBeProved && !isToBeProved()) {
            toBeProved = false;
            AgentLog.info("all sensors have been tested now; " + inWords());
        }
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
        Watch watch = measurements.watch();
        return watch == null
                ? ""
                : (options.nativeSampleNanos() > 0 ? ", " + sensors.inWords(NATIVE) : "") + vmEvents(watch);
    }

    private String vmEvents(Watch watch) {
        if (options.vmEvents() == AgentOptions.VmEventsMode.OFF) {
            return "";
        }
        return watch.beginsEventsWhenNeeded() ? ", vm when it is needed" : ", vm from the first virtual thread on";
    }

    private boolean isToBeProved() {
        return installation.sensors().keySet().stream().anyMatch(sensor -> sensors.isToBeProved(sensor.label()));
    }
}
