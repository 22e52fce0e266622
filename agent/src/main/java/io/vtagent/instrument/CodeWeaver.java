package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Puts the calls of the probe into the code of one method, and copies the rest as it is. Only
 * instructions that change are decoded.
 *
 * <p>Each {@code monitorenter} for which {@link MonitorScan} found a guard is wrapped. The result
 * of the call before it stays on the stack until the range of the releasing handler begins. The
 * range is made to begin one call earlier.
 *
 * <p>The body of a method that loses {@code synchronized} becomes a {@code synchronized} block. The
 * monitor is {@code this} or the class; both can be loaded again wherever they are needed. Unlike
 * javac's handler, this one does not catch exceptions of {@code monitorexit}: if the code had
 * released the monitor already, the handler would throw forever. HotSpot's analysis of monitors
 * assumes that a matching {@code monitorexit} does not throw.
 */
final class CodeWeaver {
    /** The longest code in bytes that HotSpot compiles (HugeMethodLimit). */
    private static final int MAX_COMPILED = 8_000;

    private static final int MAX_LENGTH = 0xFFFF;
    private static final int ALOAD_0 = 42;
    private static final int LDC_W = 19;

    private final MethodCode code;
    private final ParsedClass parsed;
    private final AddedConstants constants;
    private final CodeLayout layout;

    /** Whether the method loses the modifier {@code synchronized}. */
    private final boolean unsynchronized;

    private final boolean probed;

    /** The instruction that loads the monitor of the method. */
    private final byte[] load;

    private final ByteBuilder out;
    private final int[] moved;

    /** The offsets at which the ranges in which the monitor of the method is held begin and end. */
    private final List<Integer> rangeStarts = new ArrayList<>();

    private final List<Integer> rangeEnds = new ArrayList<>();

    /** The offset of the code in {@link #out}. */
    private int start;

    private boolean jumpsTooFar;

    private CodeWeaver(
            MethodCode code,
            MonitorScan scan,
            AddedConstants constants,
            boolean unsynchronized,
            boolean isStatic,
            boolean probed) {
        this.code = code;
        this.constants = constants;
        this.unsynchronized = unsynchronized;
        this.probed = probed;
        parsed = code.parsed;
        load = isStatic ? loadClass(parsed.thisClass()) : new byte[] {(byte) ALOAD_0};
        layout = new CodeLayout(code, scan, load.length, unsynchronized, probed);
        moved = layout.moved;
        out = new ByteBuilder(code.length + 512);
    }

    private static byte[] loadClass(int constant) {
        return constant <= 0xFF
                ? new byte[] {(byte) Opcodes.LDC, (byte) constant}
                : new byte[] {(byte) LDC_W, (byte) (constant >> 8), (byte) constant};
    }

    /**
     * Returns the new contents of the {@code Code} attribute.
     *
     * @param unsynchronized whether the method loses that modifier
     * @param probed whether the entries are timed
     * @return null if the calls would make the code too long for HotSpot to compile
     * @throws IllegalArgumentException if the code would exceed the maximum length of code or of a
     *     jump
     */
    static @Nullable ByteBuilder weave(
            MethodCode code,
            MonitorScan scan,
            AddedConstants constants,
            boolean unsynchronized,
            boolean isStatic,
            boolean probed) {
        CodeWeaver weaver = new CodeWeaver(code, scan, constants, unsynchronized, isStatic, probed);
        int length = weaver.layout.length;
        if (probed && code.length <= MAX_COMPILED && length > MAX_COMPILED) {
            return null;
        }
        if (length > MAX_LENGTH) {
            throw new IllegalArgumentException(
                    "no place for a call in a method of " + code.length + " bytes");
        }
        weaver.write();
        if (weaver.jumpsTooFar) {
            throw new IllegalArgumentException("a jump that goes as far as a jump can");
        }
        return weaver.out;
    }

    private void write() {
        int stack = code.maxStack() + (layout.guards.isEmpty() ? 0 : 1);
        out.u2(unsynchronized ? Math.max(stack + 1, 2) : stack);
        out.copy(parsed.file, code.at + 2, code.at + 4); // the number of local variables
        out.s4(layout.length);
        start = out.size();
        if (unsynchronized) {
            writePrologue();
        }
        writeInstructions();
        int handler = out.size() - start;
        if (unsynchronized) {
            rangeEnds.add(handler);
            rangeStarts.add(handler);
            writeRelease();
            out.u1(Opcodes.ATHROW);
        }
        writeHandlers(handler);
        boolean hasThis = load.length == 1;
        new CodeTables(code, moved, constants, out)
                .write(unsynchronized ? new CodeTables.Added(handler, hasThis) : null);
    }

    private void writePrologue() {
        out.copy(load, 0, load.length);
        if (probed) {
            writeEntering();
        }
        out.u1(Opcodes.MONITORENTER);
        rangeStarts.add(out.size() - start);
        if (probed) {
            writeEntered();
        }
    }

    private void writeEntering() {
        out.u1(Opcodes.DUP);
        out.u1(Opcodes.INVOKESTATIC)
                .u2(constants.probe("entering", "(Ljava/lang/Object;)Ljava/lang/Object;"));
        out.u1(Opcodes.SWAP);
    }

    private void writeEntered() {
        out.u1(Opcodes.INVOKESTATIC).u2(constants.probe("entered", "(Ljava/lang/Object;)V"));
    }

    private void writeRelease() {
        out.copy(load, 0, load.length);
        rangeEnds.add(out.size() - start);
        out.u1(Opcodes.MONITOREXIT);
    }

    private void writeInstructions() {
        int copied = 0;
        for (int offset = layout.touched.nextSetBit(0);
                offset >= 0;
                offset = layout.touched.nextSetBit(copied)) {
            int opcode = code.opcode(offset);
            int next = code.next(offset);
            int kind = Bytecode.kind(opcode);
            boolean returns = unsynchronized && kind == Bytecode.RETURN;
            copy(copied, offset);
            copied = next;
            writeBefore(offset, returns);
            if (kind == Bytecode.PLAIN || kind == Bytecode.RETURN) {
                copy(offset, next);
            } else {
                writeJump(offset, opcode, next);
            }
            if (returns) {
                rangeStarts.add(out.size() - start);
            }
        }
        copy(copied, code.length);
    }

    private void copy(int from, int to) {
        out.copy(parsed.file, code.start + from, code.start + to);
    }

    private void writeBefore(int offset, boolean returns) {
        if (layout.guards.get(offset)) {
            writeEntered();
        }
        if (layout.entries.get(offset)) {
            writeEntering();
        }
        if (returns) {
            writeRelease();
        }
    }

    private void writeJump(int offset, int opcode, int next) {
        int place = out.size() - start;
        int operand = code.start + offset + 1;
        out.u1(opcode);
        int kind = Bytecode.kind(opcode);
        if (kind == Bytecode.JUMP) {
            int distance = moved[offset + (short) parsed.u2(operand)] - place;
            jumpsTooFar |= distance != (short) distance;
            out.u2(distance);
        } else if (kind == Bytecode.FAR_JUMP) {
            out.s4(moved[offset + parsed.s4(operand)] - place);
        } else {
            writeSwitch(offset, opcode, next, place);
        }
    }

    private void writeSwitch(int offset, int opcode, int next, int place) {
        for (int left = CodeLayout.padding(place); left > 0; left--) {
            out.u1(0);
        }
        int operands = Bytecode.switchOperands(code.start + offset, code.start);
        out.s4(moved[offset + parsed.s4(operands)] - place);
        boolean table = opcode == Opcodes.TABLESWITCH;
        int labels = operands + (table ? 12 : 8);
        out.copy(parsed.file, operands + 4, labels); // the keys from and to, or their number
        int end = code.start + next;
        for (int at = labels; at < end; at += 4) {
            if (!table) {
                out.copy(parsed.file, at, at + 4); // the key
                at += 4;
            }
            out.s4(moved[offset + parsed.s4(at)] - place);
        }
    }

    /** Writes the method's own handlers, and after them the one that releases its monitor. */
    private void writeHandlers(int handler) {
        int count = out.size();
        int handlers = code.handlerCount();
        out.u2(handlers);
        for (int own = 0; own < handlers; own++) {
            int entry = code.handlerAt(own);
            out.u2(layout.range(parsed.u2(entry)));
            out.u2(layout.range(parsed.u2(entry + 2)));
            out.u2(moved[parsed.u2(entry + 4)]);
            out.copy(parsed.file, entry + 6, entry + 8); // the type
        }
        for (int range = 0; range < rangeStarts.size(); range++) {
            if (rangeStarts.get(range) < rangeEnds.get(range)) {
                out.u2(rangeStarts.get(range)).u2(rangeEnds.get(range)).u2(handler).u2(0);
                handlers++;
            }
        }
        out.setU2(count, handlers);
    }
}
