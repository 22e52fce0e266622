package io.vtagent.export;

import java.util.HashMap;
import java.util.Map;
import java.util.OptionalLong;
import org.jspecify.annotations.Nullable;

/**
 * What a request asks of a path.
 *
 * @param accept the header of that name
 * @param parameters what stands after the question mark, by name; of several of a name the last. As it was sent: no value that has a
 *     meaning here needs an escape
 */
public record Query(@Nullable String accept, Map<String, String> parameters) {
    private static final int LONGEST_NUMBER = 9;

    /** Nothing in particular. */
    public static final Query NONE = new Query(null, Map.of());

    static Query of(@Nullable String accept, String path) {
        int query = path.indexOf('?');
        if (query < 0) {
            return new Query(accept, Map.of());
        }
        Map<String, String> parameters = new HashMap<>();
        for (String pair : path.substring(query + 1).split("&", -1)) {
            int equals = pair.indexOf('=');
            parameters.put(equals < 0 ? pair : pair.substring(0, equals), equals < 0 ? "" : pair.substring(equals + 1));
        }
        return new Query(accept, parameters);
    }

    /** The value of {@code name}, {@code otherwise} if there is none. */
    public String text(String name, String otherwise) {
        return parameters.getOrDefault(name, otherwise);
    }

    /**
     * The value of {@code name}, which is a whole number from 0 on; empty if there is none.
     *
     * @throws BadQueryException if it is something else
     */
    public OptionalLong number(String name) {
        String value = parameters.get(name);
        if (value == null) {
            return OptionalLong.empty();
        }
        boolean digits = !value.isEmpty()
                && value.length() <= LONGEST_NUMBER
                && value.chars().allMatch(character -> character >= '0' && character <= '9');
        if (!digits) {
            throw new BadQueryException("expected " + name + "= and a whole number of at most 9 digits");
        }
        return OptionalLong.of(Long.parseLong(value));
    }
}
