package io.vtagent.instrument;

/**
 * Reads the frames of a method one after the other (JVMS 4.7.4). A frame is kept in the class file as a difference, and few
 * questions need more than that.
 */
final class StackMap {
    static final String NAME = "StackMapTable";
    static final int FULL = 255;
    static final int SAME_WITH_OFFSET = 251;
    /** The kinds of values that take three bytes: of a class, and of an object that the instruction at an offset has made. */
    static final int OBJECT = 7;

    static final int UNINITIALIZED = 8;
    static final int ONE_ON_STACK = 64;
    static final int FIRST_RESERVED = 128;
    static final int ONE_ON_STACK_WITH_OFFSET = 247;

    private final ParsedClass parsed;
    private int left;
    private int at;

    /** Where the frame begins that {@link #next} went to, what it is, and the place of the instruction that it is for. */
    int type;

    int offset = -1;
    /** How many local variables it has if it is {@link #FULL}, or else how many more than the one before; and how many values it has on the stack. */
    int locals;

    int stack;
    /** Where the first value lies of the local variables that it names, and of the stack. */
    int localsAt;

    int stackAt;

    /** @param attribute where the attribute begins, or -1 if there is none */
    StackMap(ParsedClass parsed, int attribute) {
        this.parsed = parsed;
        left = attribute < 0 ? 0 : parsed.u2(attribute + 6);
        at = attribute + 8;
    }

    /** Goes to the next frame, and says whether there was one. */
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

    /** Where the frame ends that {@link #next} went to. */
    int end() {
        return at;
    }

    int valueEnd(int value) {
        return value + (parsed.u1(value) >= OBJECT ? 3 : 1);
    }
}
