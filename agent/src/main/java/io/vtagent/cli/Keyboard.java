package io.vtagent.cli;

import io.vtagent.cli.Key.Kind;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/** Makes keys of what a terminal sends. */
final class Keyboard {
    /** What follows an escape at once belongs to it. */
    private static final long SEQUENCE_MILLIS = 50;

    private static final int INTERRUPT = 3;
    private static final int ESCAPE = 27;
    private static final int DELETE = 127;

    private final Input input;

    Keyboard(Input input) {
        this.input = input;
    }

    /** Characters, one by one. */
    @FunctionalInterface
    interface Input {
        /** @return -1 at the end, -2 if there was none in time */
        int read(long millis) throws IOException;
    }

    /** @return null if no key was pressed in time */
    @Nullable
    Key next(long millis) throws IOException {
        int character = input.read(millis);
        if (character == -2) {
            return null;
        }
        if (character == -1) {
            return Key.of('q'); // whoever would press it is gone
        }
        return switch (character) {
            case '\r', '\n' -> Key.of(Kind.ENTER);
            case '\b', DELETE -> Key.of(Kind.BACKSPACE);
            case INTERRUPT -> Key.of(Kind.INTERRUPT);
            case ESCAPE -> sequence();
            default -> Character.isISOControl(character) ? Key.of(Kind.OTHER) : Key.of((char) character);
        };
    }

    /** {@code ESC [ A} or {@code ESC O A}; an escape alone is one. */
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
            case '~' -> parameter == 5 ? Kind.PAGE_UP : parameter == 6 ? Kind.PAGE_DOWN : Kind.OTHER;
            default -> Kind.OTHER;
        };
    }
}
