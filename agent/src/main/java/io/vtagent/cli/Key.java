package io.vtagent.cli;

/** A key that was pressed. */
record Key(Kind kind, char character) {
    /** Which one; {@code CHARACTER} is any that prints. */
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
