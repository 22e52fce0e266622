package io.vtagent.instrument;

import java.util.BitSet;

/** Where the code of a method comes to lie when calls and a block are put into it, and how long it becomes. */
final class CodeLayout {
    /** Bytes of {@code invokestatic}. */
    private static final int CALL = 3;
    /** Bytes before a {@code monitorenter}: {@code dup}, the call, {@code swap}. */
    private static final int ENTERING = 2 + CALL;

    /** The {@code monitorenter} with a call before, and the instructions with the call after them in front, by where they were. */
    final BitSet entries;

    final BitSet guards;
    /** By where an instruction was, or the end: whoever jumped there goes on before what is put in front of it. */
    final int[] moved;

    final int length;
    private final MethodCode code;
    private final boolean unsynchronized;
    /** Bytes that release the monitor of the method. */
    private final int release;

    /**
     * @param load the bytes that load the monitor of the method
     * @param unsynchronized whether a block takes the place of the modifier
     * @param probed whether entries are timed
     */
    CodeLayout(MethodCode code, MonitorScan scan, int load, boolean unsynchronized, boolean probed) {
        this.code = code;
        this.unsynchronized = unsynchronized;
        entries = probed ? scan.entries : new BitSet();
        guards = probed ? scan.guards : new BitSet();
        moved = new int[code.length + 1];
        release = load + 1;
        int prologue = load + 1 + (probed ? ENTERING + CALL : 0);
        int end = place(unsynchronized ? prologue : 0);
        length = unsynchronized ? end + release + 1 : end;
    }

    private int place(int from) {
        int at = from;
        int offset = 0;
        while (offset < code.length) {
            int opcode = code.opcode(offset);
            int next = code.next(offset);
            at += guards.get(offset) ? CALL : 0;
            moved[offset] = at;
            at += lengthBefore(offset, opcode);
            int place = at;
            at += next - offset;
            if (Bytecode.kind(opcode) == Bytecode.SWITCH) {
                at += padding(place) - padding(offset);
            }
            for (int inside = offset + 1; inside < next; inside++) {
                moved[inside] = place + inside - offset;
            }
            offset = next;
        }
        moved[code.length] = at;
        return at;
    }

    private int lengthBefore(int offset, int opcode) {
        if (entries.get(offset)) {
            return ENTERING;
        }
        return unsynchronized && Bytecode.kind(opcode) == Bytecode.RETURN ? release : 0;
    }

    /** Bytes between the opcode of a switch and its operands. */
    static int padding(int place) {
        return 3 - place % 4;
    }

    /** Where a range of the exception table comes to begin or end: a call that was put there lies within, or behind. */
    int range(int offset) {
        return guards.get(offset) ? moved[offset] - CALL : moved[offset];
    }
}
