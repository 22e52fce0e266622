package io.vtagent.exporter;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Sensor;
import io.vtagent.ledger.Sensors;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.report.PinReport;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.thread.Shutdown;
import io.vtagent.usage.CarrierUsage;
import java.util.function.Supplier;

/**
 * Prints the startup line to stderr, and a second line once the sensors that were untested by then
 * have been tested.
 */
final class StartupBanner implements Exporter {
    private static final String SAMPLER = "sampler";

    private final AgentOptions options;
    private final MeasurementSource measurements;
    private final Supplier<HttpExporter> endpoint;
    private final Installation installation;
    private final Sensors sensors;
    private boolean toBeProved;

    StartupBanner(
            AgentOptions options, MeasurementSource measurements, Supplier<HttpExporter> endpoint) {
        this.options = options;
        this.measurements = measurements;
        this.endpoint = endpoint;
        installation = measurements.installation();
        sensors = measurements.sensors();
    }

    @Override
    public void open() {
        PinReport.Jvm jvm = measurements.jvm();
        String line =
                jvm.agent()
                        + " on JDK "
                        + jvm.java()
                        + ": "
                        + jvm.pinningMode()
                        + (installation.carriers() ? "; " + inWords() + watching() : "")
                        + endpoint.get().inWords()
                        + (options.otlp() == null
                                ? ""
                                : "; metrics are pushed to " + options.otlp());
        if (Shutdown.hasBegun()) { // the last line has been printed
            return;
        }
        AgentLog.info(line);
        endpoint.get().warn();
        toBeProved = isToBeProved();
    }

    @Override
    public void publish(PinReport report) {
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

    /** Describes the sensors that begin later: with sampling, and when there are carriers. */
    private String watching() {
        CarrierMonitoring watch = measurements.watch();
        return watch == null
                ? ""
                : (options.sampleIntervalNanos() > 0 ? ", " + sensors.inWords(SAMPLER) : "")
                        + vmEvents(watch)
                        + (CarrierUsage.knowsRunnable()
                                ? ""
                                : "; on this system runnable carriers count as running");
    }

    private String vmEvents(CarrierMonitoring watch) {
        if (options.vmEvents() == AgentOptions.VmEventsMode.OFF) {
            return "";
        }
        return watch.startsEventsWhenNeeded()
                ? ", vm when needed"
                : ", vm once a virtual thread runs";
    }

    private boolean isToBeProved() {
        return installation.sensors().keySet().stream()
                .anyMatch(sensor -> sensors.isToBeProved(sensor.label()));
    }
}
