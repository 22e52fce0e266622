package io.vtagent.instrument;

/**
 * Reads the frames of a method one after the other (JVMS 4.7.4). The class file has only the
 * difference of a frame from the one before, which is enough for most purposes.
 */
final class StackMap {
    static final String NAME = "StackMapTable";
    static final int FULL = 255;
    static final int SAME_WITH_OFFSET = 251;

    /**
     * The kind of a value of a class. This kind and {@link #UNINITIALIZED}, for an object that the
     * instruction at an offset has created, take three bytes.
     */
    static final int OBJECT = 7;

    static final int UNINITIALIZED = 8;
    static final int ONE_ON_STACK = 64;
    static final int FIRST_RESERVED = 128;
    static final int ONE_ON_STACK_WITH_OFFSET = 247;

    private final ParsedClass parsed;
    private int left;
    private int at;

    /** The type of the current frame, to which {@link #next} went. */
    int type;

    /** The offset of the instruction that the current frame is for. */
    int offset = -1;

    /**
     * The number of local variables of the current frame if it is {@link #FULL}; otherwise the
     * difference from the number of the frame before.
     */
    int locals;

    /** The number of values that the current frame has on the stack. */
    int stack;

    /** The position of the values of the local variables that the current frame names. */
    int localsAt;

    /** The position of the values on the stack. */
    int stackAt;

    /**
     * @param attribute the position of the attribute, or -1 if there is none
     */
    StackMap(ParsedClass parsed, int attribute) {
        this.parsed = parsed;
        left = attribute < 0 ? 0 : parsed.u2(attribute + 6);
        at = attribute + 8;
    }

    /** Goes to the next frame, and returns whether there was one. */
    boolean next() {
        if (left-- <= 0) {
            return false;
        }
        type = parsed.u1(at++);
        locals = 0;
        stack = 0;
        int delta;
        if (type < FIRST_RESERVED) {
            delta = type % ONE_ON_STACK;
            stack = type / ONE_ON_STACK;
        } else if (type < ONE_ON_STACK_WITH_OFFSET) {
            throw new IllegalArgumentException("frame of type " + type);
        } else {
            delta = parsed.u2(at);
            at += 2;
            if (type == FULL) {
                locals = parsed.u2(at);
                at += 2;
            } else if (type == ONE_ON_STACK_WITH_OFFSET) {
                stack = 1;
            } else {
                locals = type - SAME_WITH_OFFSET;
            }
        }
        offset += delta + 1;
        localsAt = at;
        for (int value = 0; value < locals; value++) {
            at = valueEnd(at);
        }
        if (type == FULL) {
            stack = parsed.u2(at);
            at += 2;
        }
        stackAt = at;
        for (int value = 0; value < stack; value++) {
            at = valueEnd(at);
        }
        return true;
    }

    /** Returns the end of the current frame. */
    int end() {
        return at;
    }

    int valueEnd(int value) {
        return value + (parsed.u1(value) >= OBJECT ? 3 : 1);
    }
}
