package io.vtagent.instrument;

import java.util.BitSet;

/** The new offsets of a method's instructions, and its new length, with calls and a block added. */
final class CodeLayout {
    /** Bytes of {@code invokestatic}. */
    private static final int CALL = 3;

    /** Bytes before a {@code monitorenter}: {@code dup}, the call, {@code swap}. */
    private static final int ENTERING = 2 + CALL;

    /** The old offsets of each {@code monitorenter} that gets a call before it. */
    final BitSet entries;

    /** The old offsets of the instructions before which the call after an entry is put. */
    final BitSet guards;

    /**
     * The old offsets of the entries, the guards, the jumps, and the returns that release a
     * monitor. All other instructions are copied as they are.
     */
    final BitSet touched = new BitSet();

    /**
     * The new offsets of the instructions and of the end, by the old offsets. A jump to an
     * instruction leads to the code that is put in front of it, but behind a call of a guard.
     */
    final int[] moved;

    final int length;
    private final MethodCode code;
    private final boolean unsynchronized;

    /** Bytes that release the monitor of the method. */
    private final int release;

    /**
     * @param load the number of bytes that load the monitor of the method
     * @param unsynchronized whether a block takes the place of the modifier
     * @param probed whether entries are timed
     */
    CodeLayout(
            MethodCode code, MonitorScan scan, int load, boolean unsynchronized, boolean probed) {
        this.code = code;
        this.unsynchronized = unsynchronized;
        entries = probed ? scan.entries : new BitSet();
        guards = probed ? scan.guards : new BitSet();
        touched.or(scan.jumps);
        touched.or(entries);
        touched.or(guards);
        if (unsynchronized) {
            touched.or(scan.returns);
        }
        moved = new int[code.length + 1];
        release = load + 1;
        int prologue = load + 1 + (probed ? ENTERING + CALL : 0);
        int end = place(unsynchronized ? prologue : 0);
        length = unsynchronized ? end + release + 1 : end;
    }

    private int place(int from) {
        int at = from;
        int offset = 0;
        for (int next = touched.nextSetBit(0); next >= 0; next = touched.nextSetBit(offset)) {
            at = copied(offset, next, at);
            at += guards.get(next) ? CALL : 0;
            moved[next] = at;
            int opcode = code.opcode(next);
            at += lengthBefore(next, opcode);
            offset = code.next(next);
            int padding =
                    Bytecode.kind(opcode) == Bytecode.SWITCH ? padding(at) - padding(next) : 0;
            at = copied(next + 1, offset, at + 1) + padding;
        }
        at = copied(offset, code.length, at);
        moved[code.length] = at;
        return at;
    }

    /** Places the bytes between the two offsets at {@code at}, and returns where they end. */
    private int copied(int offset, int end, int at) {
        int distance = at - offset;
        for (int each = offset; each < end; each++) {
            moved[each] = each + distance;
        }
        return end + distance;
    }

    private int lengthBefore(int offset, int opcode) {
        if (entries.get(offset)) {
            return ENTERING;
        }
        return unsynchronized && Bytecode.kind(opcode) == Bytecode.RETURN ? release : 0;
    }

    /** Returns the number of bytes between the opcode of a switch and its operands. */
    static int padding(int place) {
        return 3 - place % 4;
    }

    /**
     * Returns where a range of the exception table that begins or ends at {@code offset} now begins
     * or ends. A guard's call that was put there is within a range that begins there, and behind
     * one that ends there.
     */
    int range(int offset) {
        return guards.get(offset) ? moved[offset] - CALL : moved[offset];
    }
}
