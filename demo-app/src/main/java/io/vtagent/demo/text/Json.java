package io.vtagent.demo.text;

import com.fasterxml.jackson.core.JsonFactory;
import com.fasterxml.jackson.core.JsonGenerator;
import com.fasterxml.jackson.core.JsonParser;
import com.fasterxml.jackson.core.util.JsonGeneratorDelegate;
import com.fasterxml.jackson.jr.ob.JSON;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigDecimal;
import java.math.MathContext;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/**
 * A value of a JSON text, which passes between the JVMs of the demo, or lies in its report.
 *
 * @param value a map, a list, a text, a number, or a truth value
 */
public record Json(Object value) {

    private static final JsonFactory JACKSON = new JsonFactory();

    /** Writes maps, collections, texts, numbers and truth values. */
    public static String text(Object value) {
        StringWriter text = new StringWriter();
        try (JsonGenerator json = new Figures(JACKSON.createGenerator(text))) {
            JSON.std.write(value, json);
        } catch (IOException e) {
            throw new IllegalArgumentException("cannot be written as JSON: " + value, e);
        }
        return text.toString();
    }

    public static Json parse(String text) {
        try (JsonParser json = JACKSON.createParser(text)) {
            Object value = JSON.std.anyFrom(json);
            if (value != null && json.nextToken() == null) {
                return new Json(value);
            }
        } catch (IOException e) {
            throw new IllegalArgumentException("expected JSON, but got " + text, e);
        }
        throw new IllegalArgumentException("expected one value, but got " + text);
    }

    /** The member of that name, which there has to be. */
    public Json get(String name) {
        Json member = members().get(name);
        if (member == null) {
            throw new IllegalArgumentException("no \"" + name + "\" in " + members().keySet());
        }
        return member;
    }

    public Map<String, Json> members() {
        Map<String, Json> members = new LinkedHashMap<>();
        ((Map<?, ?>) value)
                .forEach((name, member) -> members.put(name.toString(), new Json(member)));
        return members;
    }

    public List<Json> elements() {
        Stream<?> elements = ((List<?>) value).stream();
        return elements.map(element -> new Json(Objects.requireNonNull(element))).toList();
    }

    public String string() {
        return (String) value;
    }

    public double number() {
        return ((Number) value).doubleValue();
    }

    public boolean isTrue() {
        return (Boolean) value;
    }

    /** Numbers without the noise of the last bits, and never with an exponent. */
    private static final class Figures extends JsonGeneratorDelegate {

        private static final MathContext NINE_DIGITS = new MathContext(9);

        Figures(JsonGenerator json) {
            super(json);
        }

        @Override
        public void writeNumber(double number) throws IOException {
            writeNumber(new BigDecimal(number, NINE_DIGITS).stripTrailingZeros().toPlainString());
        }
    }
}
