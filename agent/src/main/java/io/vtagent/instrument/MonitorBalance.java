package io.vtagent.instrument;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Checks that a method releases, on every path, exactly the monitors that its own blocks have
 * entered, as code from compilers does. The verifier does not require this. If a block releases the
 * monitor of its {@code synchronized} method, a block in place of that modifier would not have the
 * same effect.
 */
final class MonitorBalance {
    private static final int[] NONE = {};

    /**
     * The limit of nested monitors, because all held monitors are stored for each instruction. Real
     * code does not nest so deeply.
     */
    private static final int MAX_NESTED = 64;

    private final MethodCode code;
    private final ParsedClass parsed;

    /**
     * For each instruction, the local variables with the monitors that are held before it, in the
     * order of entry.
     */
    private final int[][] held;

    /** For each instruction, the offset of the instruction before it, or -1. */
    private final int[] before;

    private final Deque<Integer> open = new ArrayDeque<>();
    private boolean balanced = true;

    private MonitorBalance(MethodCode code) {
        this.code = code;
        parsed = code.parsed;
        held = new int[code.length][];
        before = new int[code.length];
    }

    static boolean isBalanced(MethodCode code) {
        MonitorBalance balance = new MonitorBalance(code);
        balance.follow();
        return balance.balanced;
    }

    private void follow() {
        Arrays.fill(before, -1);
        int last = -1;
        for (int offset = 0; offset < code.length; offset = code.next(offset)) {
            before[offset] = last;
            last = offset;
        }
        reach(0, NONE);
        while (balanced && !open.isEmpty()) {
            follow(open.pop());
        }
    }

    private void reach(int offset, int[] monitors) {
        if (offset < 0 || offset >= code.length) {
            balanced = false;
            return;
        }
        int[] known = held[offset];
        if (known == null) {
            held[offset] = monitors;
            open.push(offset);
        } else {
            balanced &= Arrays.equals(known, monitors);
        }
    }

    private void follow(int offset) {
        int opcode = code.opcode(offset);
        int[] monitors = held[offset];
        if (mayThrow(offset, opcode)) {
            raise(offset, monitors);
        }
        int[] after = after(offset, opcode, monitors);
        for (int target : code.targets(offset)) {
            reach(target, after);
        }
        if (goesOn(opcode)) {
            reach(code.next(offset), after);
        }
    }

    private boolean mayThrow(int offset, int opcode) {
        // as in generateOopMap.cpp, which also assumes that a matching release does not throw
        boolean constant = opcode < Opcodes.LDC;
        boolean moves =
                Bytecode.localAccess(parsed, code.start + offset) >= 0 && opcode != Opcodes.RET;
        boolean jumps = opcode == Opcodes.GOTO || opcode == Bytecode.GOTO_W;
        return !constant
                && !moves
                && !jumps
                && Bytecode.kind(opcode) != Bytecode.RETURN
                && opcode != Opcodes.MONITOREXIT;
    }

    private static boolean goesOn(int opcode) {
        boolean jumps =
                opcode == Opcodes.GOTO
                        || opcode == Bytecode.GOTO_W
                        || Bytecode.kind(opcode) == Bytecode.SWITCH;
        return !jumps && Bytecode.kind(opcode) != Bytecode.RETURN && opcode != Opcodes.ATHROW;
    }

    private int[] after(int offset, int opcode, int[] monitors) {
        int top = monitors.length - 1;
        if (opcode == Opcodes.MONITORENTER) {
            int slot = slotOfTop(offset);
            balanced &= slot >= 0 && monitors.length < MAX_NESTED;
            int[] more = Arrays.copyOf(monitors, monitors.length + 1);
            more[top + 1] = slot;
            return more;
        }
        if (opcode == Opcodes.MONITOREXIT) {
            balanced &= top >= 0 && monitors[top] == slotOfTop(offset);
            return top < 0 ? monitors : Arrays.copyOf(monitors, top);
        }
        int access = Bytecode.localAccess(parsed, code.start + offset);
        if (opcode == Opcodes.JSR
                || opcode == Bytecode.JSR_W
                || opcode == Opcodes.RET
                || access == Opcodes.RET) {
            balanced = false; // only old compilers use these: not worth following
        } else if (Bytecode.isStore(access)) {
            balanced &= !contains(monitors, Bytecode.slot(parsed, code.start + offset));
        } else if (Bytecode.kind(opcode) == Bytecode.RETURN) {
            balanced &= top < 0;
        }
        return monitors;
    }

    private static boolean contains(int[] slots, int wanted) {
        for (int slot : slots) {
            if (slot == wanted) {
                return true;
            }
        }
        return false;
    }

    /**
     * Returns the local variable that has the value on top of the stack before {@code offset}, from
     * {@code aload n} or {@code dup; astore n}; -1 if that is not known.
     */
    private int slotOfTop(int offset) {
        int last = before[offset];
        if (last < 0) {
            return -1;
        }
        int access = Bytecode.localAccess(parsed, code.start + last);
        boolean stored =
                access == Opcodes.ASTORE
                        && before[last] >= 0
                        && code.opcode(before[last]) == Opcodes.DUP;
        return stored || access == Opcodes.ALOAD ? Bytecode.slot(parsed, code.start + last) : -1;
    }

    private void raise(int offset, int[] monitors) {
        for (int handler = 0; handler < code.handlerCount(); handler++) {
            int entry = code.handlerAt(handler);
            if (parsed.u2(entry) <= offset && parsed.u2(entry + 2) > offset) {
                reach(parsed.u2(entry + 4), monitors);
                if (parsed.u2(entry + 6) == 0) {
                    return;
                }
            }
        }
        balanced &= monitors.length == 0;
    }
}
