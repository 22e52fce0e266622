package io.vtagent.it;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text, where tests may also ask for what is not there.
 *
 * @param value a map, a list, a string, a number, a boolean, or null
 */
record Json(@Nullable Object value) {

    static Json parse(String text) {
        return new Json(io.vtagent.demo.text.Json.parse(text).value());
    }

    /** The field {@code name}; null if there is none. */
    Json get(String name) {
        return new Json(((Map<?, ?>) existing()).get(name));
    }

    List<Json> list() {
        List<Json> elements = new ArrayList<>();
        ((List<?>) existing()).forEach(element -> elements.add(new Json(element)));
        return elements;
    }

    String string() {
        return (String) existing();
    }

    double number() {
        return ((Number) existing()).doubleValue();
    }

    boolean isTrue() {
        return (Boolean) existing();
    }

    private Object existing() {
        if (value == null) {
            throw new AssertionError("the JSON text has no such field");
        }
        return value;
    }
}
