package io.vtagent.exporter.otlp;

import java.io.ByteArrayOutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Parses {@code key1=value1,key2=value2} with percent-encoded keys and values, the format of
 * OpenTelemetry's environment variables.
 */
final class EncodedPairs {
    private static final int HEX = 16;

    private EncodedPairs() {}

    /**
     * Returns null if {@code text} has another format. If a key occurs twice, the last pair counts.
     */
    static @Nullable Map<String, String> parse(String text) {
        Map<String, String> pairs = new LinkedHashMap<>();
        for (String pair : text.split(",", -1)) {
            if (pair.isBlank()) {
                continue;
            }
            int equals = pair.indexOf('=');
            String key = equals < 0 ? null : decode(pair.substring(0, equals).strip());
            String value = equals < 0 ? null : decode(pair.substring(equals + 1).strip());
            if (key == null || key.isEmpty() || value == null) {
                return null;
            }
            pairs.put(key, value);
        }
        return pairs;
    }

    /**
     * Decodes without {@code URLDecoder}, which turns a plus sign into a space. Returns null if the
     * text is malformed or does not decode to UTF-8.
     */
    private static @Nullable String decode(String text) {
        if (text.indexOf('%') < 0) {
            return text;
        }
        ByteArrayOutputStream decoded = new ByteArrayOutputStream();
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        for (int i = 0; i < bytes.length; i++) {
            if (bytes[i] != '%') {
                decoded.write(bytes[i]);
                continue;
            }
            int high = i + 2 < bytes.length ? Character.digit(bytes[i + 1], HEX) : -1;
            int low = i + 2 < bytes.length ? Character.digit(bytes[i + 2], HEX) : -1;
            if (high < 0 || low < 0) {
                return null;
            }
            decoded.write(high * HEX + low);
            i += 2;
        }
        try {
            return StandardCharsets.UTF_8
                    .newDecoder()
                    .decode(ByteBuffer.wrap(decoded.toByteArray()))
                    .toString();
        } catch (CharacterCodingException noUtf8) {
            return null;
        }
    }
}
