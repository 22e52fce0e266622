package io.vtagent.otel;

import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.common.AttributesBuilder;
import io.opentelemetry.api.metrics.Meter;
import io.opentelemetry.api.metrics.MeterProvider;
import io.opentelemetry.api.metrics.ObservableDoubleMeasurement;
import io.opentelemetry.api.metrics.ObservableMeasurement;
import io.vtagent.exporter.otel.OtelSdk;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.BiFunction;
import java.util.function.Supplier;

/**
 * Registers asynchronous instruments at OpenTelemetry's SDK. All of them are read at once, when the
 * SDK collects.
 */
final class SdkMeters
        implements BiFunction<
                List<Map<String, String>>,
                Supplier<Map<String, Map<Map<String, String>, Double>>>,
                AutoCloseable> {
    private static final String SCOPE = "io.vtagent";
    private static final ObservableMeasurement[] NONE = {};

    private final Meter meter;

    SdkMeters(MeterProvider provider) {
        String version = SdkMeters.class.getPackage().getImplementationVersion();
        meter =
                provider.meterBuilder(SCOPE)
                        .setInstrumentationVersion(version == null ? "" : version)
                        .build();
    }

    /**
     * Registers {@code instruments}, whose {@code values} are read by name and tags.
     *
     * @return what removes them
     */
    @Override
    public AutoCloseable apply(
            List<Map<String, String>> instruments,
            Supplier<Map<String, Map<Map<String, String>, Double>>> values) {
        Map<String, ObservableDoubleMeasurement> observers = new HashMap<>();
        for (Map<String, String> instrument : instruments) {
            observers.put(of(instrument, OtelSdk.NAME), observer(instrument));
        }
        ObservableMeasurement[] all = observers.values().toArray(NONE);
        return meter.batchCallback(() -> record(values.get(), observers), all[0], all);
    }

    private ObservableDoubleMeasurement observer(Map<String, String> instrument) {
        String name = of(instrument, OtelSdk.NAME);
        String unit = of(instrument, OtelSdk.UNIT);
        String description = of(instrument, OtelSdk.DESCRIPTION);
        return of(instrument, OtelSdk.TYPE).equals(OtelSdk.COUNTER)
                ? meter.counterBuilder(name)
                        .ofDoubles()
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver()
                : meter.gaugeBuilder(name)
                        .setUnit(unit)
                        .setDescription(description)
                        .buildObserver();
    }

    private static String of(Map<String, String> instrument, String key) {
        return Objects.requireNonNull(instrument.get(key), key);
    }

    private static void record(
            Map<String, Map<Map<String, String>, Double>> values,
            Map<String, ObservableDoubleMeasurement> observers) {
        values.forEach(
                (name, points) -> {
                    ObservableDoubleMeasurement observer = observers.get(name);
                    if (observer != null) { // otherwise it will be registered within a second
                        points.forEach((tags, value) -> observer.record(value, of(tags)));
                    }
                });
    }

    private static Attributes of(Map<String, String> tags) {
        AttributesBuilder attributes = Attributes.builder();
        tags.forEach(attributes::put);
        return attributes.build();
    }
}
