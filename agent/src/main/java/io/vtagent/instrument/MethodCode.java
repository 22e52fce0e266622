package io.vtagent.instrument;

import net.bytebuddy.jar.asm.Opcodes;

/** The code of a method: where its parts lie in the class file (JVMS 4.7.3). */
final class MethodCode {
    /** Bytes of an entry of the exception table. */
    static final int HANDLER = 8;

    private static final int[] NONE = {};

    final ParsedClass parsed;
    /** Where it begins, with the depth of the stack and the number of local variables. */
    final int at;
    /** Where the instructions begin and end; what refers to one of them counts from the beginning. */
    final int start;

    final int length;
    /** Where the number of handlers stands, and the handlers after it. */
    final int handlers;
    /** Where the number of the attributes stands. */
    final int attributes;

    /** @param at {@link ParsedClass#codeOf} */
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

    /** Where a handler's entry begins: from, to, handler, type. */
    int handlerAt(int handler) {
        return handlers + 2 + HANDLER * handler;
    }

    /** The opcode of the instruction that begins there. */
    int opcode(int offset) {
        return parsed.u1(start + offset);
    }

    /** Where the next instruction begins; nothing of the length of a switch is taken for granted. */
    int next(int offset) {
        int instruction = Bytecode.length(parsed, start + offset, start);
        if (instruction > length - offset) {
            throw new IllegalArgumentException("an instruction of " + instruction + " bytes");
        }
        return offset + instruction;
    }

    /** Where the instruction at {@code offset} may jump. */
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
