package io.vtagent.instrument;

import java.util.BitSet;

/**
 * Tells in some microseconds which methods of a class file can enter a monitor, so that all others pass untouched: those that
 * are {@code synchronized}, and those with a {@code monitorenter} among their instructions (JVMS 4 and 6).
 */
final class MonitorSniffer {
    private static final int ACC_SYNCHRONIZED = 0x0020;
    private static final int FIRST_CONSTANT = 10;
    private static final int IINC = 132;
    private static final int TABLESWITCH = 170;
    private static final int LOOKUPSWITCH = 171;
    private static final int MONITORENTER = 194;
    private static final int WIDE = 196;

    /** The bytes that an instruction takes, by its opcode, from {@code nop} to {@code jsr_w}; 0 if that varies. */
    private static final String LENGTHS = "1".repeat(16) // constants
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
            + "55"; // goto_w, jsr_w

    private final byte[] file;
    /** The constants "Code", of which there may be more than one. */
    private final BitSet codeNames = new BitSet();

    private final BitSet withMonitors = new BitSet();
    private int[] codeLengths = {};
    private int at = FIRST_CONSTANT;

    private MonitorSniffer(byte[] file) {
        this.file = file;
    }

    /**
     * The methods that can enter a monitor, by their place in {@code classFile}.
     *
     * @throws IndexOutOfBoundsException or IllegalArgumentException if {@code classFile} is not well-formed
     */
    static BitSet methodsWithMonitors(byte[] classFile) {
        MonitorSniffer sniffer = new MonitorSniffer(classFile);
        sniffer.read();
        return sniffer.withMonitors;
    }

    /**
     * The bytes of code of each method of {@code classFile}, by its place; 0 for those without.
     *
     * @throws IndexOutOfBoundsException or IllegalArgumentException if {@code classFile} is not well-formed
     */
    static int[] codeLengths(byte[] classFile) {
        MonitorSniffer sniffer = new MonitorSniffer(classFile);
        sniffer.read();
        return sniffer.codeLengths;
    }

    private void read() {
        skipConstants();
        at += 6; // access, this, super
        at += 2 + 2 * u2(at); // interfaces
        members(); // fields, which have no code, and for which ACC_SYNCHRONIZED stands for nothing
        withMonitors.clear();
        members();
    }

    private void skipConstants() {
        int count = u2(FIRST_CONSTANT - 2);
        for (int index = 1; index < count; index++) {
            int tag = file[at];
            switch (tag) {
                case 1 -> { // Utf8
                    int length = u2(at + 1);
                    if (length == 4
                            && file[at + 3] == 'C'
                            && file[at + 4] == 'o'
                            && file[at + 5] == 'd'
                            && file[at + 6] == 'e') {
                        codeNames.set(index);
                    }
                    at += 3 + length;
                }
                case 5, 6 -> { // Long and Double take two places
                    at += 9;
                    index++;
                }
                case 7, 8, 16, 19, 20 -> at += 3; // Class, String, MethodType, Module, Package
                case 15 -> at += 4; // MethodHandle
                case 3, 4, 9, 10, 11, 12, 17, 18 -> at += 5; // Integer, Float, refs, NameAndType, dynamics
                default -> throw new IllegalArgumentException("constant pool tag " + tag);
            }
        }
    }

    private void members() {
        int count = u2(at);
        codeLengths = new int[count];
        at += 2;
        for (int member = 0; member < count; member++) {
            boolean found = (u2(at) & ACC_SYNCHRONIZED) != 0;
            int attributes = u2(at + 6);
            at += 8;
            for (int attribute = 0; attribute < attributes; attribute++) {
                if (codeNames.get(u2(at))) {
                    // max_stack, max_locals, code_length, code
                    codeLengths[member] = s4(at + 10);
                    found = found || entersMonitor(at + 14, codeLengths[member]);
                }
                at += 6 + checked(s4(at + 2), 0);
            }
            withMonitors.set(member, found);
        }
    }

    private boolean entersMonitor(int code, int length) {
        for (int i = code; i < code + length; i += checked(lengthAt(i, code), 1)) {
            if ((file[i] & 0xFF) == MONITORENTER) {
                return true;
            }
        }
        return false;
    }

    private int lengthAt(int i, int code) {
        int opcode = file[i] & 0xFF;
        int length = LENGTHS.charAt(opcode) - '0';
        if (length > 0) {
            return length;
        }
        if (opcode == WIDE) {
            return (file[i + 1] & 0xFF) == IINC ? 6 : 4;
        }
        int operands = i + 4 - (i - code) % 4; // aligned within the code
        return switch (opcode) {
            case TABLESWITCH -> operands + 12 + 4 * (s4(operands + 8) - s4(operands + 4) + 1) - i;
            case LOOKUPSWITCH -> operands + 8 + 8 * s4(operands + 4) - i;
            default -> throw new IllegalArgumentException("opcode " + opcode);
        };
    }

    /** The JVM has not checked anything yet. */
    private static int checked(int length, int least) {
        if (length < least) {
            throw new IllegalArgumentException("length " + length);
        }
        return length;
    }

    private int u2(int offset) {
        return (file[offset] & 0xFF) << 8 | (file[offset + 1] & 0xFF);
    }

    private int s4(int offset) {
        return u2(offset) << 16 | u2(offset + 2);
    }
}
