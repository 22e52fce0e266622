package io.vtagent.json;

import com.google.gson.JsonArray;
import com.google.gson.JsonElement;
import com.google.gson.JsonObject;
import com.google.gson.JsonParseException;
import com.google.gson.JsonParser;
import com.google.gson.JsonPrimitive;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** The fields of a JSON object. The requested field must exist and have the requested type. */
public final class JsonFields {
    private final JsonObject object;

    private JsonFields(JsonObject object) {
        this.object = object;
    }

    /** Parses {@code text}, which must be a JSON object. */
    public static JsonFields parse(String text) throws BadJsonException {
        try {
            JsonElement parsed = JsonParser.parseString(text);
            if (parsed instanceof JsonObject object) {
                return new JsonFields(object);
            }
        } catch (JsonParseException notJson) {
            // reported below
        }
        throw new BadJsonException("it is not a JSON object");
    }

    public boolean has(String name) {
        return object.has(name);
    }

    public Set<String> names() {
        return object.keySet();
    }

    public long number(String name) throws BadJsonException {
        Long number = wholeNumber(primitive(name));
        if (number == null) {
            throw new BadJsonException("\"" + name + "\" is not a whole number");
        }
        return number;
    }

    private static @Nullable Long wholeNumber(JsonElement element) {
        try {
            return element instanceof JsonPrimitive value && value.isNumber()
                    ? Long.valueOf(value.getAsString())
                    : null;
        } catch (NumberFormatException notWhole) {
            return null;
        }
    }

    public int integer(String name) throws BadJsonException {
        long value = number(name);
        if (value != (int) value) {
            throw new BadJsonException("\"" + name + "\" is too large a number");
        }
        return (int) value;
    }

    /** Returns a number that need not be whole. */
    public double decimal(String name) throws BadJsonException {
        JsonPrimitive value = primitive(name);
        if (!value.isNumber()) {
            throw new BadJsonException("\"" + name + "\" is not a number");
        }
        return value.getAsDouble();
    }

    public boolean flag(String name) throws BadJsonException {
        JsonPrimitive value = primitive(name);
        if (!value.isBoolean()) {
            throw new BadJsonException("\"" + name + "\" is neither true nor false");
        }
        return value.getAsBoolean();
    }

    public String text(String name) throws BadJsonException {
        JsonPrimitive value = primitive(name);
        if (!value.isString()) {
            throw new BadJsonException("\"" + name + "\" is not a text");
        }
        return value.getAsString();
    }

    public @Nullable String textIfAny(String name) throws BadJsonException {
        return object.has(name) ? text(name) : null;
    }

    public JsonFields object(String name) throws BadJsonException {
        if (object.get(name) instanceof JsonObject fields) {
            return new JsonFields(fields);
        }
        throw new BadJsonException(
                "\"" + name + "\" is " + (object.has(name) ? "not an object" : "missing"));
    }

    /** Returns the elements of an array of objects, each converted by {@code reader}. */
    public <T> List<T> objects(String name, Reader<T> reader) throws BadJsonException {
        List<T> elements = new ArrayList<>();
        for (JsonElement element : array(name)) {
            if (!(element instanceof JsonObject fields)) {
                throw new BadJsonException("\"" + name + "\" has an element that is not an object");
            }
            elements.add(reader.read(new JsonFields(fields)));
        }
        return elements;
    }

    public List<String> strings(String name) throws BadJsonException {
        List<String> elements = new ArrayList<>();
        for (JsonElement element : array(name)) {
            if (!(element instanceof JsonPrimitive text) || !text.isString()) {
                throw new BadJsonException("\"" + name + "\" has an element that is not a text");
            }
            elements.add(text.getAsString());
        }
        return elements;
    }

    /** Returns an array of whole numbers. */
    public long[] numbers(String name) throws BadJsonException {
        JsonArray array = array(name);
        long[] elements = new long[array.size()];
        for (int i = 0; i < elements.length; i++) {
            Long number = wholeNumber(array.get(i));
            if (number == null) {
                throw new BadJsonException(
                        "\"" + name + "\" has an element that is not a whole number");
            }
            elements[i] = number;
        }
        return elements;
    }

    private JsonArray array(String name) throws BadJsonException {
        if (object.get(name) instanceof JsonArray array) {
            return array;
        }
        throw new BadJsonException(
                "\"" + name + "\" is " + (object.has(name) ? "not an array" : "missing"));
    }

    private JsonPrimitive primitive(String name) throws BadJsonException {
        if (object.get(name) instanceof JsonPrimitive value) {
            return value;
        }
        throw new BadJsonException(
                "\"" + name + "\" is " + (object.has(name) ? "not a value" : "missing"));
    }

    /** Converts the fields of an object. */
    @FunctionalInterface
    public interface Reader<T> {
        T read(JsonFields fields) throws BadJsonException;
    }
}
