package io.vtagent.options;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A bearer token. {@link #toString} does not show it.
 *
 * @param value a token in the form of RFC 6750
 */
public record Token(String value) {
    private static final Pattern ALLOWED = Pattern.compile("[A-Za-z0-9._~+/-]+=*");
    private static final int MAX_BYTES = 4096;

    /**
     * Returns the token in the first line of the file that {@code given} names, or {@code given}
     * itself.
     *
     * @return null if neither is a token, or if {@code given} looks like the path of a file that
     *     cannot be read: that path must not become the token
     */
    public static @Nullable Token of(String given) {
        String value = given;
        try {
            Path file = Path.of(given);
            if (Files.isRegularFile(file)) {
                value = firstLine(file);
            } else if (given.startsWith("/") || given.startsWith(".")) {
                return null;
            }
        } catch (IOException unreadable) {
            return null;
        } catch (InvalidPathException notAPath) {
            // so it can only be a token
        }
        return ALLOWED.matcher(value).matches() ? new Token(value) : null;
    }

    private static String firstLine(Path file) throws IOException {
        try (InputStream in = Files.newInputStream(file)) {
            String start = new String(in.readNBytes(MAX_BYTES), StandardCharsets.UTF_8);
            return start.lines().findFirst().orElse("").strip();
        }
    }

    @Override
    public String toString() {
        return "Token";
    }
}
