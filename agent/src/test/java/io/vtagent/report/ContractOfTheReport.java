package io.vtagent.report;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParser;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * The JSON report, as {@code docs/report.schema.json} has it, to which {@link ReportSchemaTest}
 * holds the code.
 */
public final class ContractOfTheReport {
    private final List<String> lines = new ArrayList<>();
    private final JsonObject definitions;

    private ContractOfTheReport(JsonObject schema) {
        definitions = schema.getAsJsonObject("$defs");
    }

    public static Stream<String> lines() throws IOException {
        JsonObject schema =
                JsonParser.parseString(
                                Files.readString(Path.of("..", "docs", "report.schema.json")))
                        .getAsJsonObject();
        ContractOfTheReport contract = new ContractOfTheReport(schema);
        contract.fields("report", schema);
        definitions(contract, schema);
        return contract.lines.stream();
    }

    private static void definitions(ContractOfTheReport contract, JsonObject schema) {
        schema.getAsJsonObject("$defs")
                .entrySet()
                .forEach(
                        definition ->
                                contract.value(
                                        definition.getKey(),
                                        definition.getValue().getAsJsonObject()));
    }

    private void fields(String owner, JsonObject object) {
        List<String> required = strings(object.getAsJsonArray("required"));
        object.getAsJsonObject("properties")
                .entrySet()
                .forEach(
                        field -> {
                            String path = owner + "." + field.getKey();
                            if (required.contains(field.getKey())) {
                                lines.add("json %s is always there".formatted(path));
                            }
                            value(path, field.getValue().getAsJsonObject());
                        });
    }

    private void value(String path, JsonObject value) {
        for (String keyword : List.of("type", "const", "$ref")) {
            if (value.has(keyword)) {
                lines.add("json %s is %s".formatted(path, text(value.get(keyword))));
            }
        }
        if (value.has("enum")) {
            strings(value.getAsJsonArray("enum"))
                    .forEach(one -> lines.add("json %s may be %s".formatted(path, one)));
        }
        if (value.has("items")) {
            value(path + "[]", value.getAsJsonObject("items"));
        }
        if (value.has("properties")) {
            fields(path, value);
        }
        if (value.has("additionalProperties") && value.get("additionalProperties").isJsonObject()) {
            value(path + ".*", value.getAsJsonObject("additionalProperties"));
        }
    }

    private String text(JsonElement value) {
        String text = value.isJsonPrimitive() ? value.getAsString() : value.toString();
        String name = text.replace("#/$defs/", "");
        if (text.startsWith("#") && !definitions.has(name)) {
            throw new IllegalStateException("no definition of " + text);
        }
        return name;
    }

    private static List<String> strings(JsonArray array) {
        return array == null
                ? List.of()
                : array.asList().stream().map(JsonElement::getAsString).toList();
    }
}
