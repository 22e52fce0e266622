package io.vtagent.exporter.http;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * The parameters of a request.
 *
 * @param accept the {@code Accept} header
 * @param parameters the query parameters by name; the last one if a name is repeated. They are not
 *     decoded, because no valid value needs an escape
 */
public record Query(@Nullable String accept, Map<String, String> parameters) {
    private static final int MAX_NUMBER = 9;

    /** A query without parameters. */
    public static final Query NONE = new Query(null, Map.of());

    static Query of(@Nullable String accept, String path) {
        int query = path.indexOf('?');
        if (query < 0) {
            return new Query(accept, Map.of());
        }
        Map<String, String> parameters = new HashMap<>();
        for (String pair : path.substring(query + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            parameters.put(
                    equals < 0 ? pair : pair.substring(0, equals),
                    equals < 0 ? "" : pair.substring(equals + 1));
        }
        return new Query(accept, parameters);
    }

    /** Returns the value of {@code name}, or {@code otherwise} if there is none. */
    public String text(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    /**
     * Returns the value of {@code name}, a non-negative integer; empty if there is none.
     *
     * @throws BadQueryException if the value is something else
     */
    public OptionalLong number(String name) {
        String value = parameters.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        boolean digits =
                !value.isEmpty()
                        && value.length() <= MAX_NUMBER
                        && value.chars()
                                .allMatch(character -> character >= '0' && character <= '9');
        if (!digits) {
            throw new BadQueryException(
                    "expected " + name + "= and a whole number of at most 9 digits");
        }
        return OptionalLong.of(Long.parseLong(value));
    }
}
