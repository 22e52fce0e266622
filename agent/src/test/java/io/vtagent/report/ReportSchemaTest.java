package io.vtagent.report;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.gson.Gson;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import dev.harrel.jsonschema.Validator;
import dev.harrel.jsonschema.ValidatorFactory;
import dev.harrel.jsonschema.providers.GsonNode;
import io.vtagent.ledger.ActivePinTotals;
import io.vtagent.pin.PinKind;
import io.vtagent.pin.PinReason;
import io.vtagent.site.PinnedStack;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The JSON report conforms to {@code docs/report.schema.json} and has no fields beyond it. */
class ReportSchemaTest {
    private static final ValidatorFactory VALIDATORS =
            new ValidatorFactory().withJsonNodeFactory(new GsonNode.Factory());

    private final String published = Files.readString(Path.of("..", "docs", "report.schema.json"));
    private final JsonObject schema = new Gson().fromJson(published, JsonObject.class);
    private final JsonObject full = json(FullReport.everything());

    ReportSchemaTest() throws IOException {}

    @Test
    void aReportInWhichEverythingHappenedConformsToTheSchema() {
        assertThat(errors(full)).isEmpty();
    }

    @Test
    void aReportOfNothingConformsToTheSchema() {
        PinReport.Jvm noCarriers =
                new PinReport.Jvm("?", "25.0.1", false, false, true, FullReport.JVM.sensors());
        for (PinReport.Jvm jvm :
                List.of(FullReport.JVM, FullReport.WITHOUT_MONITOR_PINS, noCarriers)) {
            assertThat(
                            errors(
                                    json(
                                            PinReportMaker.ofNothing(
                                                    PinReport.Starved.NEVER,
                                                    PinReport.Delayed.OFF,
                                                    PinReport.Relieved.OFF,
                                                    PinReport.Scheduler.UNKNOWN,
                                                    jvm,
                                                    0))))
                    .isEmpty();
        }
        assertThat(
                        errors(
                                json(
                                        FullReport.withoutPins(
                                                ActivePinTotals.NONE, PinReport.Starved.NEVER))))
                .isEmpty();
    }

    @Test
    void aReportWithoutStacksConformsToTheSchema() {
        assertThat(
                        errors(
                                parse(
                                        JsonReport.render(
                                                FullReport.everything(),
                                                JsonReport.Detail.NO_STACKS))))
                .isEmpty();
    }

    @Test
    void aFieldThatTheSchemaDoesNotHaveIsFoundWhereverItIs() {
        int found = 0;
        for (JsonObject object : objectsIn(full)) {
            object.addProperty("notDocumented", 1);
            found += errors(full).isEmpty() ? 0 : 1;
            object.remove("notDocumented");
        }

        assertThat(found)
                .as("objects with fields of fixed names")
                .isEqualTo(objectsIn(full).size());
        assertThat(found).isGreaterThan(20);
    }

    @Test
    void readersOfReportsMustAllowFurtherFields() {
        full.addProperty("new", "in a later version");

        assertThat(validate(published, full).isValid()).isTrue();
    }

    @Test
    void whatIsMissingOrOfAnotherTypeIsFound() {
        for (String field :
                List.of(
                        "version",
                        "heldNanos",
                        "lostShare",
                        "lostNanos",
                        "waiting",
                        "throttledNanos",
                        "pausedNanos",
                        "scheduler",
                        "active",
                        "starved",
                        "sites")) {
            JsonElement value = full.remove(field);
            assertThat(errors(full)).as("without " + field).isNotEmpty();
            full.addProperty(field, "text");
            assertThat(errors(full)).as("with text as " + field).isNotEmpty();
            full.add(field, value);
        }
        assertThat(errors(full)).isEmpty();
    }

    @Test
    void theSchemaKnowsEachLabelAndNoOther() {
        assertThat(labels("kind"))
                .containsExactlyElementsOf(
                        Stream.of(PinKind.values()).map(PinKind::label).toList());
        assertThat(labels("reason"))
                .containsExactlyInAnyOrderElementsOf(
                        Stream.of(PinReason.values()).map(PinReason::label).toList());
        JsonObject site =
                schema.getAsJsonObject("$defs")
                        .getAsJsonObject("site")
                        .getAsJsonObject("properties");
        assertThat(strings(site.getAsJsonObject("cause")))
                .containsExactlyElementsOf(names(PinnedStack.Cause.values()));
        assertThat(strings(site.getAsJsonObject("withoutMonitorPins")))
                .containsExactlyElementsOf(names(Forecast.OfSite.values()));
    }

    @Test
    void eachFieldIsExplainedAndEachDurationNamesItsUnit() {
        for (JsonObject object : objectsIn(schema)) {
            if (object.has("properties")) {
                object.getAsJsonObject("properties")
                        .entrySet()
                        .forEach(
                                field -> {
                                    JsonObject value = field.getValue().getAsJsonObject();
                                    String description =
                                            value.has("description")
                                                    ? value.get("description").getAsString()
                                                    : value.has("$ref") ? "." : "";
                                    assertThat(description).as(field.getKey()).endsWith(".");
                                    if (field.getKey().toLowerCase(Locale.ROOT).endsWith("nanos")) {
                                        assertThat(description)
                                                .as(field.getKey())
                                                .contains("in nanoseconds");
                                    }
                                });
            }
        }
    }

    private List<String> labels(String definition) {
        return strings(schema.getAsJsonObject("$defs").getAsJsonObject(definition));
    }

    private static List<String> strings(JsonObject enumeration) {
        return enumeration.getAsJsonArray("enum").asList().stream()
                .map(JsonElement::getAsString)
                .toList();
    }

    private static List<String> names(Enum<?>[] values) {
        return Stream.of(values).map(value -> value.name().toLowerCase(Locale.ROOT)).toList();
    }

    private static JsonObject json(PinReport report) {
        return parse(JsonReport.render(report, JsonReport.Detail.ALL));
    }

    private static JsonObject parse(String text) {
        return new Gson().fromJson(text, JsonObject.class);
    }

    /** Returns the violations of the schema, if that allowed no other fields. */
    private List<String> errors(JsonObject report) {
        JsonObject strict = schema.deepCopy();
        for (JsonObject object : objectsIn(strict)) {
            if (object.has("properties") && object.has("type")) {
                object.addProperty("additionalProperties", false);
            }
        }
        return validate(strict.toString(), report).getErrors().stream()
                .map(error -> error.getInstanceLocation() + ": " + error.getError())
                .toList();
    }

    private static Validator.Result validate(String schema, JsonObject report) {
        return VALIDATORS.validate(schema, report.toString());
    }

    private static List<JsonObject> objectsIn(JsonElement json) {
        List<JsonObject> objects = new ArrayList<>();
        if (json.isJsonObject()) {
            objects.add(json.getAsJsonObject());
            json.getAsJsonObject()
                    .entrySet()
                    .forEach(field -> objects.addAll(objectsIn(field.getValue())));
        } else if (json.isJsonArray()) {
            json.getAsJsonArray().forEach(element -> objects.addAll(objectsIn(element)));
        }
        return objects;
    }
}
