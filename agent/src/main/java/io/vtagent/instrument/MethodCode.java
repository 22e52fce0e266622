package io.vtagent.instrument;

import net.bytebuddy.jar.asm.Opcodes;

/** The code of a method: the positions of its parts in the class file (JVMS 4.7.3). */
final class MethodCode {
    /** The length in bytes of an entry of the exception table. */
    static final int HANDLER = 8;

    private static final int[] NONE = {};

    final ParsedClass parsed;

    /** The beginning, where the depth of the stack and the number of local variables are. */
    final int at;

    /**
     * The position of the first instruction. Offsets of instructions are relative to it, and {@link
     * #length} is the length of all instructions.
     */
    final int start;

    final int length;

    /** The position of the number of handlers, which the handlers follow. */
    final int handlers;

    /** The position of the number of attributes. */
    final int attributes;

    /**
     * @param at {@link ParsedClass#codeOf}
     */
    MethodCode(ParsedClass parsed, int at) {
        this.parsed = parsed;
        this.at = at;
        start = at + 8;
        length = parsed.s4(at + 4);
        if (length < 0 || length > 0xFFFF) {
            throw new IllegalArgumentException("length of code " + length);
        }
        handlers = start + length;
        attributes = handlers + 2 + HANDLER * handlerCount();
    }

    int maxStack() {
        return parsed.u2(at);
    }

    int handlerCount() {
        return parsed.u2(handlers);
    }

    /** Returns the position of a handler's entry: from, to, handler, type. */
    int handlerAt(int handler) {
        return handlers + 2 + HANDLER * handler;
    }

    /** Returns the opcode of the instruction at {@code offset}. */
    int opcode(int offset) {
        return parsed.u1(start + offset);
    }

    /** Returns the offset of the next instruction. The length of a switch is checked. */
    int next(int offset) {
        int instruction = Bytecode.length(parsed, start + offset, start);
        if (instruction > length - offset) {
            throw new IllegalArgumentException("an instruction of " + instruction + " bytes");
        }
        return offset + instruction;
    }

    /** Returns the offsets to which the instruction at {@code offset} may jump. */
    int[] targets(int offset) {
        int opcode = opcode(offset);
        int operand = start + offset + 1;
        return switch (Bytecode.kind(opcode)) {
            case Bytecode.JUMP -> new int[] {offset + (short) parsed.u2(operand)};
            case Bytecode.FAR_JUMP -> new int[] {offset + parsed.s4(operand)};
            case Bytecode.SWITCH -> switchTargets(offset, opcode == Opcodes.TABLESWITCH);
            default -> NONE;
        };
    }

    private int[] switchTargets(int offset, boolean table) {
        int operands = Bytecode.switchOperands(start + offset, start);
        int label = operands + 12;
        int step = table ? 4 : 8;
        int[] targets = new int[1 + (start + next(offset) - label + step - 1) / step];
        targets[0] = offset + parsed.s4(operands);
        for (int i = 1; i < targets.length; i++, label += step) {
            targets[i] = offset + parsed.s4(label);
        }
        return targets;
    }
}
