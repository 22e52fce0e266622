package io.vtagent.instrument;

import net.bytebuddy.jar.asm.Opcodes;

/** The instructions in a class file: their lengths, kinds and operands (JVMS 6.5). */
final class Bytecode {
    /** An opcode that {@link Opcodes} lacks, like the following ones, because ASM hides them. */
    static final int WIDE = 196;

    static final int GOTO_W = 200;
    static final int JSR_W = 201;
    private static final int LOAD_0 = 26;
    private static final int STORE_0 = 59;
    private static final int LAST_STORE = 78;

    /** The number of short forms: {@code istore_0} to {@code istore_3}, and so on. */
    private static final int SHORT_FORMS = 4;

    /**
     * The length of an instruction in bytes, by its opcode, from {@code nop} to {@code jsr_w}; 0 if
     * the length varies.
     */
    static final byte[] LENGTHS =
            digits(
                    "1".repeat(16) // constants
                            + "23233" // bipush, sipush, ldc, ldc_w, ldc2_w
                            + "22222" // loads with an index
                            + "1".repeat(28)
                            + "22222" // stores with an index
                            + "1".repeat(73)
                            + "3" // iinc
                            + "1".repeat(20)
                            + "3".repeat(16) // jumps
                            + "2" // ret
                            + "00" // switches
                            + "1".repeat(6) // returns
                            + "3333" // fields
                            + "33355" // calls
                            + "323" // new, newarray, anewarray
                            + "11" // arraylength, athrow
                            + "33" // checkcast, instanceof
                            + "11" // monitors
                            + "0" // wide
                            + "4" // multianewarray
                            + "33" // ifnull, ifnonnull
                            + "55"); // goto_w, jsr_w

    /** The number of opcodes. */
    static final int OPCODES = LENGTHS.length;

    /**
     * The kind of an instruction that can be moved as it is. The other kinds are jumps, switches
     * and returns.
     */
    static final int PLAIN = 0;

    /** The kind of a jump whose distance has two bytes; that of a {@link #FAR_JUMP} has four. */
    static final int JUMP = 1;

    static final int FAR_JUMP = 2;
    static final int SWITCH = 3;
    static final int RETURN = 4;

    private static final byte[] KINDS =
            digits(
                    "0".repeat(153)
                            + "1".repeat(16) // jumps
                            + "0" // ret
                            + "33" // switches
                            + "4".repeat(6) // returns
                            + "0".repeat(20)
                            + "11" // ifnull, ifnonnull
                            + "22"); // goto_w, jsr_w

    private Bytecode() {}

    private static byte[] digits(String digits) {
        byte[] values = new byte[digits.length()];
        for (int opcode = 0; opcode < values.length; opcode++) {
            values[opcode] = (byte) (digits.charAt(opcode) - '0');
        }
        return values;
    }

    /**
     * Returns the length in bytes of the instruction at {@code at}, in the code that begins at
     * {@code start}.
     *
     * @throws IndexOutOfBoundsException or IllegalArgumentException if there is no instruction
     */
    static int length(ParsedClass of, int at, int start) {
        int length = LENGTHS[of.file[at] & 0xFF];
        return length > 0 ? length : varying(of, at, start);
    }

    private static int varying(ParsedClass of, int at, int start) {
        int opcode = of.u1(at);
        if (opcode == WIDE) {
            return of.u1(at + 1) == Opcodes.IINC ? 6 : 4;
        }
        int operands = switchOperands(at, start);
        int length =
                opcode == Opcodes.TABLESWITCH
                        ? operands + 12 + 4 * (of.s4(operands + 8) - of.s4(operands + 4) + 1) - at
                        : operands + 8 + 8 * of.s4(operands + 4) - at;
        if (length < 1) {
            throw new IllegalArgumentException("length of a switch " + length);
        }
        return length;
    }

    /** Returns where the operands of a switch begin, which are aligned within the code. */
    static int switchOperands(int at, int start) {
        return at + 4 - (at - start) % 4;
    }

    /** Returns the kind of an opcode: {@link #PLAIN} or another of these constants. */
    static int kind(int opcode) {
        return KINDS[opcode];
    }

    /**
     * Returns the plain opcode of an instruction that loads or stores a local variable, in any of
     * its forms, or of a {@code wide ret}; -1 for any other instruction.
     */
    static int localAccess(ParsedClass of, int at) {
        int opcode = of.u1(at);
        if (opcode == WIDE) {
            int wide = of.u1(at + 1);
            return wide == Opcodes.IINC ? -1 : wide;
        }
        if ((opcode >= Opcodes.ILOAD && opcode <= Opcodes.ALOAD)
                || (opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE)) {
            return opcode;
        }
        if (opcode >= LOAD_0 && opcode < Opcodes.IALOAD) {
            return Opcodes.ILOAD + (opcode - LOAD_0) / SHORT_FORMS;
        }
        if (opcode >= STORE_0 && opcode <= LAST_STORE) {
            return Opcodes.ISTORE + (opcode - STORE_0) / SHORT_FORMS;
        }
        return -1;
    }

    /** Returns the local variable of an instruction that {@link #localAccess} recognizes. */
    static int slot(ParsedClass of, int at) {
        int opcode = of.u1(at);
        if (opcode == WIDE) {
            return of.u2(at + 2);
        }
        if (opcode >= STORE_0 && opcode <= LAST_STORE) {
            return (opcode - STORE_0) % SHORT_FORMS;
        }
        return opcode >= LOAD_0 && opcode < Opcodes.IALOAD
                ? (opcode - LOAD_0) % SHORT_FORMS
                : of.u1(at + 1);
    }

    /**
     * Returns whether instructions with that opcode can write to a local variable, except {@code
     * iinc}.
     */
    static boolean mayStore(int opcode) {
        return isStore(opcode) || (opcode >= STORE_0 && opcode <= LAST_STORE) || opcode == WIDE;
    }

    static boolean isStore(int localAccess) {
        return localAccess >= Opcodes.ISTORE && localAccess <= Opcodes.ASTORE;
    }
}
