package io.vtagent.demo.text;

import java.math.BigDecimal;
import java.math.MathContext;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * A value of a JSON text. It reads what {@link #text} writes, which is what passes between the JVMs of the demo, and no more.
 *
 * @param value a map, a list, a text, a number, or a truth value
 */
public record Json(Object value) {

    /** Writes maps, streams and other collections, texts, numbers and truth values. */
    public static String text(Object value) {
        if (value instanceof Map<?, ?> members) {
            return members.entrySet().stream()
                    .map(member -> quoted(member.getKey().toString()) + ':' + text(member.getValue()))
                    .collect(Collectors.joining(",", "{", "}"));
        }
        if (value instanceof Iterable<?> elements) {
            List<String> texts = new ArrayList<>();
            elements.forEach(element -> texts.add(text(element)));
            return "[" + String.join(",", texts) + "]";
        }
        if (value instanceof Double number) {
            // without the noise of the last bits, and never with an exponent
            return new BigDecimal(number, new MathContext(9))
                    .stripTrailingZeros()
                    .toPlainString();
        }
        return value instanceof Number || value instanceof Boolean ? value.toString() : quoted(value.toString());
    }

    private static String quoted(String text) {
        StringBuilder quoted = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            switch (c) {
                case '"', '\\' -> quoted.append('\\').append(c);
                case '\n' -> quoted.append("\\n");
                default -> quoted.append(c < ' ' ? String.format("\\u%04x", (int) c) : String.valueOf(c));
            }
        }
        return quoted.append('"').toString();
    }

    public static Json parse(String text) {
        Parser parser = new Parser(text);
        Object value = parser.value();
        parser.end();
        return new Json(value);
    }

    /** The member of that name, which there has to be. */
    public Json get(String name) {
        Json member = members().get(name);
        if (member == null) {
            throw new IllegalArgumentException(
                    "no \"" + name + "\" in " + members().keySet());
        }
        return member;
    }

    public Map<String, Json> members() {
        Map<String, Json> members = new LinkedHashMap<>();
        ((Map<?, ?>) value).forEach((name, member) -> members.put(name.toString(), new Json(member)));
        return members;
    }

    public List<Json> elements() {
        Stream<?> elements = ((List<?>) value).stream();
        return elements.map(element -> new Json(Objects.requireNonNull(element)))
                .toList();
    }

    public String string() {
        return (String) value;
    }

    public double number() {
        return ((Number) value).doubleValue();
    }

    public boolean truth() {
        return (Boolean) value;
    }

    private static final class Parser {
        private final String text;
        private int at;

        Parser(String text) {
            this.text = text;
        }

        Object value() {
            return switch (peek()) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                default -> literal();
            };
        }

        void end() {
            if (at < text.length() && !text.substring(at).isBlank()) {
                throw unexpected();
            }
        }

        private Map<String, Object> object() {
            Map<String, Object> members = new LinkedHashMap<>();
            at++;
            while (peek() != '}') {
                String name = string();
                expect(':');
                members.put(name, value());
                skipComma('}');
            }
            at++;
            return members;
        }

        private List<Object> array() {
            List<Object> elements = new ArrayList<>();
            at++;
            while (peek() != ']') {
                elements.add(value());
                skipComma(']');
            }
            at++;
            return elements;
        }

        private String string() {
            expect('"');
            StringBuilder string = new StringBuilder();
            for (; text.charAt(at) != '"'; at++) {
                char c = text.charAt(at);
                if (c == '\\') {
                    c = text.charAt(++at);
                    if (c == 'n') {
                        c = '\n';
                    } else if (c == 'u') {
                        c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
                        at += 4;
                    }
                }
                string.append(c);
            }
            at++;
            return string.toString();
        }

        private Object literal() {
            int start = at;
            while (at < text.length() && ",]} \n".indexOf(text.charAt(at)) < 0) {
                at++;
            }
            String literal = text.substring(start, at);
            @Nullable
            Boolean truth = literal.equals("true") ? Boolean.TRUE : literal.equals("false") ? Boolean.FALSE : null;
            try {
                return truth != null ? truth : Double.valueOf(literal);
            } catch (NumberFormatException e) {
                throw unexpected();
            }
        }

        private void skipComma(char end) {
            if (peek() != end) {
                expect(',');
            }
        }

        private void expect(char c) {
            if (peek() != c) {
                throw unexpected();
            }
            at++;
        }

        private char peek() {
            while (at < text.length() && Character.isWhitespace(text.charAt(at))) {
                at++;
            }
            if (at == text.length()) {
                throw unexpected();
            }
            return text.charAt(at);
        }

        private IllegalArgumentException unexpected() {
            return new IllegalArgumentException("not the JSON that was expected, at " + at + ": " + text);
        }
    }
}
