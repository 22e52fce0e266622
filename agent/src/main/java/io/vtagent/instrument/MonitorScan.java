package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * A first pass over a method that enters monitors. It alone decides which entries can be wrapped,
 * and where the call after {@code monitorenter} goes.
 *
 * <p>The call must be in the range of the handler that releases the monitor. If it were outside,
 * HotSpot would find that the method may end with a locked monitor (generateOopMap.cpp, "non-empty
 * monitor stack at exceptional exit"), and would not compile it. javac and ecj begin the range at
 * the next instruction; Kotlin puts harmless instructions before it.
 */
final class MonitorScan {
    /** The maximum depth of the stack and number of handlers, which have two bytes each. */
    private static final int MAX_U2 = 0xFFFF;

    /**
     * By opcode: whether the instruction's only effect is that a {@code monitorenter} whose range
     * has not begun before it cannot be wrapped. This holds for most. The table avoids calls: this
     * code is mostly interpreted, where a call takes longer than all other work for an instruction.
     */
    private static final boolean[] PLAIN = new boolean[Bytecode.OPCODES];

    static {
        for (int opcode = 0; opcode < PLAIN.length; opcode++) {
            PLAIN[opcode] =
                    Bytecode.kind(opcode) == Bytecode.PLAIN
                            && !Bytecode.mayStore(opcode)
                            && !isConstantOfOneWord(opcode)
                            && opcode != Opcodes.NOP
                            && opcode != Opcodes.MONITORENTER
                            && opcode != Opcodes.MONITOREXIT
                            && opcode != Opcodes.NEW
                            && opcode != Opcodes.INVOKESPECIAL;
        }
    }

    /** The offsets of each {@code monitorenter} that can be wrapped. */
    final BitSet entries = new BitSet();

    /**
     * The offsets of the instructions before which the calls after {@code monitorenter} go, where
     * the ranges begin.
     */
    final BitSet guards = new BitSet();

    /** The offsets of the instructions that jump. */
    final BitSet jumps = new BitSet();

    /** The offsets of the instructions that return. */
    final BitSet returns = new BitSet();

    boolean entersMonitors;
    boolean exitsMonitors;

    /**
     * Whether local variable 0 is overwritten, or a frame does not declare it as {@code this}. The
     * latter happens if a tool has rewritten the class and kept in a frame only the variables that
     * the code still needs.
     */
    boolean losesThis;

    /** Whether there is no room for another value on the stack, or for the handlers. */
    boolean full;

    private final MethodCode code;
    private final BitSet rangeStarts = new BitSet();
    private final BitSet targets = new BitSet();
    private final BitSet frames = new BitSet();

    /** Pairs of offsets: of a {@code monitorenter}, and where the call after it would go. */
    private final List<int[]> candidates = new ArrayList<>();

    /** The {@code monitorenter} whose range has not begun yet, or -1. */
    private int open = -1;

    /** The number of words pushed onto the stack since that {@code monitorenter}. */
    private int pushed;

    /**
     * The number of objects that are not initialized yet. The verifier allows entering their
     * monitors, but not passing them to a call.
     */
    private int uninitialized;

    private boolean storesUninitialized;

    private MonitorScan(MethodCode code) {
        this.code = code;
    }

    /**
     * @param method the index in the class file of the method that has {@code code}
     */
    static MonitorScan of(MethodCode code, int method) {
        MonitorScan scan = new MonitorScan(code);
        ParsedClass parsed = code.parsed;
        int member = parsed.methodAt(method);
        int arguments = Type.getArgumentCount(parsed.utf8(parsed.u2(member + 4)));
        boolean isStatic = (parsed.u2(member) & Opcodes.ACC_STATIC) != 0;
        scan.uninitialized = parsed.isUtf8(parsed.u2(member + 2), "<init>") ? 1 : 0;
        scan.readHandlers();
        scan.readFrames(arguments + (isStatic ? 0 : 1));
        scan.readInstructions();
        scan.choose();
        return scan;
    }

    private void readHandlers() {
        ParsedClass parsed = code.parsed;
        for (int handler = 0; handler < code.handlerCount(); handler++) {
            int entry = code.handlerAt(handler);
            if (parsed.u2(entry + 6) == 0) {
                rangeStarts.set(parsed.u2(entry));
            }
            targets.set(parsed.u2(entry + 4));
        }
    }

    private void readFrames(int parameters) {
        ParsedClass parsed = code.parsed;
        StackMap frame = new StackMap(parsed, parsed.attribute(code.attributes, StackMap.NAME));
        int locals = parameters;
        while (frame.next()) {
            frames.set(frame.offset);
            boolean named = true;
            if (frame.type == StackMap.FULL) {
                locals = frame.locals;
                named = locals > 0 && isThis(parsed, frame.localsAt);
            } else {
                locals += frame.locals;
            }
            losesThis |= locals == 0 || !named;
            int value = frame.localsAt;
            for (int local = 0; local < frame.locals; local++) {
                storesUninitialized |= parsed.u1(value) == StackMap.UNINITIALIZED;
                value = frame.valueEnd(value);
            }
        }
    }

    private static boolean isThis(ParsedClass parsed, int value) {
        if (parsed.u1(value) != StackMap.OBJECT) {
            return false;
        }
        int named = parsed.u2(value + 1);
        return named == parsed.thisClass() || parsed.className(named).equals(parsed.name());
    }

    private void readInstructions() {
        byte[] file = code.parsed.file;
        int offset = 0;
        while (offset < code.length) {
            if (open >= 0) {
                openAt(offset);
            }
            int opcode = file[code.start + offset] & 0xFF;
            if (PLAIN[opcode]) {
                open = -1;
            } else {
                read(offset, opcode);
            }
            int length = Bytecode.LENGTHS[opcode];
            offset =
                    length > 0 && length <= code.length - offset
                            ? offset + length
                            : code.next(offset);
        }
        full =
                code.maxStack() + 2 > MAX_U2
                        || code.handlerCount() + returns.cardinality() + 2 > MAX_U2;
    }

    private void openAt(int offset) {
        if (pushed == 0 && rangeStarts.get(offset)) {
            candidates.add(new int[] {open, offset});
            open = -1;
        }
        if (frames.get(offset)) {
            open = -1; // a jump leads here
        }
    }

    private void read(int offset, int opcode) {
        if (opcode == Opcodes.MONITORENTER) {
            entersMonitors = true;
            open = uninitialized == 0 ? offset : -1;
            pushed = 0;
        } else if (isConstantOfOneWord(opcode)) {
            pushed++;
        } else if (opcode != Opcodes.NOP) {
            readOther(offset, opcode);
        }
    }

    private static boolean isConstantOfOneWord(int opcode) {
        return (opcode >= Opcodes.ACONST_NULL && opcode < Opcodes.LCONST_0)
                || (opcode >= Opcodes.FCONST_0 && opcode < Opcodes.DCONST_0);
    }

    private void readOther(int offset, int opcode) {
        ParsedClass parsed = code.parsed;
        int access = Bytecode.localAccess(parsed, code.start + offset);
        losesThis |= Bytecode.isStore(access) && Bytecode.slot(parsed, code.start + offset) == 0;
        boolean storesWord =
                access == Opcodes.ISTORE || access == Opcodes.FSTORE || access == Opcodes.ASTORE;
        if (!storesWord || --pushed < 0) {
            open = -1; // it may store the value that is kept on the stack for the call
        }
        int kind = Bytecode.kind(opcode);
        if (kind == Bytecode.RETURN) {
            returns.set(offset);
        } else if (kind != Bytecode.PLAIN) {
            jumps.set(offset);
            for (int target : code.targets(offset)) {
                targets.set(target);
            }
        } else if (opcode == Opcodes.MONITOREXIT) {
            exitsMonitors = true;
        } else if (opcode == Opcodes.NEW) {
            uninitialized++;
        } else if (opcode == Opcodes.INVOKESPECIAL
                && parsed.isMemberNamed(parsed.u2(code.start + offset + 1), "<init>")) {
            uninitialized--;
        }
    }

    private void choose() {
        for (int[] candidate : candidates) {
            // a jump to one of the instructions between the two would leave no value on the stack
            // for the call
            int target = targets.nextSetBit(candidate[0] + 1);
            boolean straight = target < 0 || target >= candidate[1];
            if (straight && !storesUninitialized && !full) {
                entries.set(candidate[0]);
                guards.set(candidate[1]);
            }
        }
    }
}
