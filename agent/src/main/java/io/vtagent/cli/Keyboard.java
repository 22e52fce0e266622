package io.vtagent.cli;

import io.vtagent.cli.Key.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Converts the characters that a terminal sends to keys. */
final class Keyboard {
    /** A character that follows an escape within this time belongs to the escape sequence. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int INTERRUPT = 3;
    private static final int ESCAPE = 27;
    private static final int DELETE = 127;

    private final Input input;

    Keyboard(Input input) {
        this.input = input;
    }

    /** A source of single characters. */
    @FunctionalInterface
    interface Input {
        /**
         * Reads a character, for which it waits at most {@code millis}.
         *
         * @return the character; -1 at the end, -2 if there was none in time
         */
        int read(long millis) throws IOException;
    }

    /**
     * Reads a key, for which it waits at most {@code millis}.
     *
     * @return null if no key was pressed in time
     */
    @Nullable Key next(long millis) throws IOException {
        int character = input.read(millis);
        if (character == -2) {
            return null;
        }
        if (character == -1) {
            return Key.of('q'); // the terminal is gone
        }
        return switch (character) {
            case '\r', '\n' -> Key.of(Kind.ENTER);
            case '\b', DELETE -> Key.of(Kind.BACKSPACE);
            case INTERRUPT -> Key.of(Kind.INTERRUPT);
            case ESCAPE -> sequence();
            default ->
                    Character.isISOControl(character)
                            ? Key.of(Kind.OTHER)
                            : Key.of((char) character);
        };
    }

    /** Reads {@code ESC [ A} or {@code ESC O A}. An escape without a sequence is a key itself. */
    private Key sequence() throws IOException {
        int second = input.read(SEQUENCE_MILLIS);
        if (second != '[' && second != 'O') {
            return Key.of(Kind.ESCAPE);
        }
        int parameter = 0;
        while (true) {
            int next = input.read(SEQUENCE_MILLIS);
            if (next >= '0' && next <= '9') {
                parameter = parameter * 10 + next - '0';
            } else if (next != ';') {
                return Key.of(kind(next, parameter));
            }
        }
    }

    private static Kind kind(int last, int parameter) {
        return switch (last) {
            case 'A' -> Kind.UP;
            case 'B' -> Kind.DOWN;
            case '~' ->
                    parameter == 5 ? Kind.PAGE_UP : parameter == 6 ? Kind.PAGE_DOWN : Kind.OTHER;
            default -> Kind.OTHER;
        };
    }
}
