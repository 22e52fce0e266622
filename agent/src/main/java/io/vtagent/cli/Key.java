package io.vtagent.cli;

/** A pressed key. */
record Key(Kind kind, char character) {
    /** The kind of a key. {@code CHARACTER} is any printable character. */
    enum Kind {
        CHARACTER,
        UP,
        DOWN,
        PAGE_UP,
        PAGE_DOWN,
        ENTER,
        ESCAPE,
        BACKSPACE,
        /** Ctrl-C. */
        INTERRUPT,
        OTHER
    }

    static Key of(char character) {
        return new Key(Kind.CHARACTER, character);
    }

    static Key of(Kind kind) {
        return new Key(kind, '\0');
    }

    boolean is(char wanted) {
        return kind == Kind.CHARACTER && character == wanted;
    }
}
