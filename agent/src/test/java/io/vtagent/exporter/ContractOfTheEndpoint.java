package io.vtagent.exporter;

import com.google.gson.JsonElement;
import com.google.gson.JsonParser;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.vtagent.exporter.history.History;
import io.vtagent.exporter.http.PrometheusExport;
import io.vtagent.instrument.Installation;
import io.vtagent.json.JsonText;
import io.vtagent.ledger.Ledger;
import io.vtagent.ledger.Sensors;
import io.vtagent.metrics.AllMeters;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.pin.Buckets;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.relief.Relief;
import io.vtagent.sampler.CarrierMonitoring;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.site.FramesOfInterest;
import io.vtagent.usage.BusySites;
import io.vtagent.usage.DelayProbe;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Properties;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The paths, the meters in Micrometer's names and in those of Prometheus, with their labels, and
 * the JSON of the last hour.
 */
public final class ContractOfTheEndpoint {
    private static final Pattern SAMPLE = Pattern.compile("(\\w+)(?:\\{(.*)\\})? \\S+");
    private static final Pattern LABEL = Pattern.compile("(\\w+)=\"((?:[^\"\\\\]|\\\\.)*)\"");
    private static final List<String> LABELS_OF_ANY_VALUE =
            List.of("site", "caller", "operation", "le");

    private final AgentOptions options;
    private final MeasurementSource measurements;
    private final History history = new History("7c0ffee");

    private ContractOfTheEndpoint(AgentOptions options) {
        this.options = options;
        Ledger ledger = new Ledger(true, 0, new FramesOfInterest(64), 10, Buckets.FINE);
        Sensors sensors = new Sensors();
        List.of("park", "wait", "enter", "io", "vm", "sampler")
                .forEach(sensor -> sensors.put(sensor, ""));
        CarrierMonitoring.Settings settings =
                new CarrierMonitoring.Settings(
                        false, false, 10_000_000, 1, 10_000_000, 10, () -> false);
        CarrierMonitoring watch =
                Objects.requireNonNull(
                        CarrierMonitoring.of(
                                CarrierPool.find(), ledger, sensors, settings, name -> false));
        BusySites busy = Objects.requireNonNull(watch.busy());
        busy.siteOf(null).addSpell();
        measurements =
                MeasurementSource.of(
                                ledger,
                                watch,
                                new DelayProbe(watch.pool(), ledger.arrivals(), 1, Buckets.FINE),
                                new Relief(watch.pool(), 1),
                                new Installation(
                                        true,
                                        true,
                                        true,
                                        Map.of(),
                                        name -> false,
                                        () -> 0,
                                        () -> 0,
                                        List::of),
                                sensors,
                                System.nanoTime())
                        .synthetic();
        history.add(measurements.report());
    }

    public static Stream<String> lines() throws BadOptionException {
        ContractOfTheEndpoint contract =
                new ContractOfTheEndpoint(
                        AgentOptions.parse("histogram=on", new Properties(), Map.of()));
        return Stream.of(
                        contract.paths(),
                        contract.meters(),
                        contract.metrics(),
                        labels(),
                        contract.lastHour())
                .flatMap(lines -> lines);
    }

    private Stream<String> paths() {
        Routes routes =
                new Routes(
                        measurements,
                        new Meters(measurements, options),
                        history,
                        new Renderings(history, List.of()),
                        new ThreadsPage(ThreadReadings.ofNobody(), List.of()));
        return Stream.concat(Stream.of("/healthz"), routes.byPath().keySet().stream())
                .filter(path -> !path.startsWith("/page/"))
                .map(path -> "endpoint GET " + path);
    }

    private Stream<String> meters() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        all().bindTo(registry);
        return registry.getMeters().stream()
                .map(Meter::getId)
                .map(
                        id -> {
                            String tags =
                                    id.getTags().stream()
                                            .map(Tag::getKey)
                                            .collect(Collectors.joining(","));
                            return "meter %s{%s} is a %s%s"
                                    .formatted(
                                            id.getName(),
                                            tags,
                                            id.getType(),
                                            unit(id.getBaseUnit()));
                        });
    }

    private static String unit(@Nullable String unit) {
        return unit == null ? "" : " in " + unit;
    }

    private AllMeters all() {
        AllMeters meters = Meters.all(measurements, options, true);
        measurements.collect();
        return meters;
    }

    private Stream<String> metrics() {
        AllMeters meters = all();
        PrometheusExport prometheus = new PrometheusExport(Map.of(), meters, meters::refresh);
        return prometheus
                .scrape(null)
                .body()
                .lines()
                .filter(line -> !line.startsWith("#"))
                .flatMap(
                        line -> {
                            Matcher sample = SAMPLE.matcher(line);
                            if (!sample.matches()) {
                                throw new IllegalStateException(line);
                            }
                            return metric(
                                    sample.group(1),
                                    sample.group(2) == null ? "" : sample.group(2));
                        });
    }

    private static Stream<String> metric(String name, String labels) {
        TreeSet<String> names = new TreeSet<>();
        TreeSet<String> values = new TreeSet<>();
        LABEL.matcher(labels)
                .results()
                .forEach(
                        label -> {
                            names.add(label.group(1));
                            if (!LABELS_OF_ANY_VALUE.contains(label.group(1))) {
                                values.add("metric %s may have %s".formatted(name, label.group()));
                            }
                        });
        return Stream.concat(
                Stream.of("metric %s{%s}".formatted(name, String.join(",", names))),
                values.stream());
    }

    private static Stream<String> labels() {
        return Stream.concat(
                Stream.of(PinKind.values()).map(kind -> "label kind may be " + kind.label()),
                Stream.of(PinReason.values())
                        .map(reason -> "label reason may be " + reason.label()));
    }

    private Stream<String> lastHour() {
        return fields(
                "history", JsonParser.parseString(JsonText.of(json -> history.write(json, 0))));
    }

    private static Stream<String> fields(String owner, JsonElement json) {
        if (!json.isJsonObject()) {
            return Stream.of("json " + owner);
        }
        return json.getAsJsonObject().entrySet().stream()
                .flatMap(field -> fields(owner + "." + field.getKey(), field.getValue()));
    }
}
