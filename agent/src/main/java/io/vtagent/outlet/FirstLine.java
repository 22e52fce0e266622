package io.vtagent.outlet;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Sensor;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.record.Sensors;
import io.vtagent.report.PinReport;
import java.util.function.Supplier;

/** The line at the start, on stderr; and another one, when sensors that were not proved by then have been. */
final class FirstLine implements Outlet {
    private static final String NATIVE = "native";
    private static final String VM_AT_ONCE = ", vm from the first virtual thread on";

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
        AgentLog.info(jvm.agent() + " on JDK " + jvm.java() + ": " + jvm.world()
                + (installation.carriers() ? "; " + inWords() + watching() : "")
                + endpoint.get().inWords()
                + (options.otlp() == null ? "" : "; metrics are pushed to " + options.otlp()));
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
        return measurements.watch() == null
                ? ""
                : (options.nativeSampleNanos() > 0 ? ", " + sensors.inWords(NATIVE) : "") + vmEvents();
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
