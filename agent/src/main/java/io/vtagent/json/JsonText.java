package io.vtagent.json;

import com.google.gson.stream.JsonWriter;
import java.io.IOException;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.util.Collection;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** Writes a JSON text. Fields whose value is null are omitted. Not thread-safe. */
public final class JsonText {
    private final StringWriter text = new StringWriter();
    private final JsonWriter writer = new JsonWriter(text);

    private JsonText() {}

    /** Returns the text of an object. {@code fields} adds its fields. */
    public static String of(Consumer<JsonText> fields) {
        JsonText json = new JsonText();
        json.object(fields);
        return json.text.toString();
    }

    /** Adds an object to an array. {@code fields} adds its fields. */
    public void object(Consumer<JsonText> fields) {
        write(JsonWriter::beginObject);
        fields.accept(this);
        write(JsonWriter::endObject);
    }

    /** Adds a field that is an object. {@code fields} adds its fields. */
    public void object(String name, Consumer<JsonText> fields) {
        write(to -> to.name(name));
        object(fields);
    }

    /** Adds a field that is an array of objects, one for each of {@code elements}. */
    public <T> void objects(String name, Collection<T> elements, Consumer<T> fieldsOf) {
        write(to -> to.name(name).beginArray());
        for (T element : elements) {
            object(json -> fieldsOf.accept(element));
        }
        write(JsonWriter::endArray);
    }

    /** Adds a field that is an array of arrays of whole numbers. */
    public void rows(String name, Collection<long[]> rows) {
        write(to -> to.name(name).beginArray());
        for (long[] row : rows) {
            numbers(row);
        }
        write(JsonWriter::endArray);
    }

    /** Adds a field that is an array of whole numbers. */
    public void numbers(String name, long[] values) {
        write(to -> to.name(name));
        numbers(values);
    }

    private void numbers(long[] values) {
        write(JsonWriter::beginArray);
        for (long value : values) {
            write(to -> to.value(value));
        }
        write(JsonWriter::endArray);
    }

    public void field(String name, @Nullable String value) {
        if (value != null) {
            write(to -> to.name(name).value(value));
        }
    }

    public void field(String name, long value) {
        write(to -> to.name(name).value(value));
    }

    public void field(String name, double value) {
        write(to -> to.name(name).value(value));
    }

    public void field(String name, boolean value) {
        write(to -> to.name(name).value(value));
    }

    public void strings(String name, Collection<String> values) {
        write(to -> to.name(name).beginArray());
        for (String value : values) {
            write(to -> to.value(value));
        }
        write(JsonWriter::endArray);
    }

    private interface Step {
        void to(JsonWriter writer) throws IOException;
    }

    private void write(Step step) {
        try {
            step.to(writer);
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible); // a StringWriter does not throw it
        }
    }
}
