package io.vtagent.it;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text.
 *
 * @param value a map, a list, a string, a double, a boolean, or null
 */
record Json(@Nullable Object value) {

    static Json parse(String text) {
        Parser parser = new Parser(text);
        Object value = parser.value();
        parser.end();
        return new Json(value);
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
        return (Double) existing();
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

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        @Nullable
        Object value() {
            char first = peek();
            return switch (first) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                default -> literal();
            };
        }

        private Map<String, @Nullable Object> object() {
            Map<String, @Nullable Object> fields = new LinkedHashMap<>();
            expect('{');
            while (peek() != '}') {
                if (!fields.isEmpty()) {
                    expect(',');
                    peek();
                }
                String name = string();
                expect(':');
                fields.put(name, value());
            }
            expect('}');
            return fields;
        }

        private List<@Nullable Object> array() {
            List<@Nullable Object> elements = new ArrayList<>();
            expect('[');
            while (peek() != ']') {
                if (!elements.isEmpty()) {
                    expect(',');
                }
                elements.add(value());
            }
            expect(']');
            return elements;
        }

        private String string() {
            expect('"');
            StringBuilder string = new StringBuilder();
            while (text.charAt(at) != '"') {
                char character = text.charAt(at++);
                if (character != '\\') {
                    string.append(character);
                    continue;
                }
                char escaped = text.charAt(at++);
                if (escaped == 'u') {
                    string.append((char) Integer.parseInt(text.substring(at, at + 4), 16));
                    at += 4;
                } else {
                    string.append(escaped == 'n' ? '\n' : escaped == 't' ? '\t' : escaped);
                }
            }
            at++;
            return string.toString();
        }

        private @Nullable Object literal() {
            int from = at;
            while (at < text.length() && ",]}".indexOf(text.charAt(at)) < 0 && text.charAt(at) > ' ') {
                at++;
            }
            String literal = text.substring(from, at);
            return switch (literal) {
                case "null" -> null;
                case "true" -> true;
                case "false" -> false;
                default -> Double.valueOf(literal);
            };
        }

        private char peek() {
            while (text.charAt(at) <= ' ') {
                at++;
            }
            return text.charAt(at);
        }

        private void expect(char wanted) {
            if (peek() != wanted) {
                throw new AssertionError("expected " + wanted + " at " + at + " of " + text);
            }
            at++;
        }

        void end() {
            if (!text.substring(at).isBlank()) {
                throw new AssertionError("more than one value in " + text);
            }
        }
    }
}
