package io.vtagent.instrument;

import java.util.BitSet;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Finds in a few microseconds the methods of a class file that can enter a monitor. These are the
 * {@code synchronized} methods and those with a {@code monitorenter} among their instructions (JVMS
 * 4 and 6). All other methods stay unchanged.
 */
final class MonitorMethodFinder {
    private MonitorMethodFinder() {}

    /**
     * Returns the indexes in the class file of the methods that can enter a monitor.
     *
     * @throws IndexOutOfBoundsException or IllegalArgumentException if the file is not well-formed
     */
    static BitSet methodsWithMonitors(ParsedClass parsed) {
        BitSet found = new BitSet();
        for (int method = 0; method < parsed.methodCount(); method++) {
            if (parsed.isSynchronized(method) || entersMonitor(parsed, parsed.codeOf(method))) {
                found.set(method);
            }
        }
        return found;
    }

    private static boolean entersMonitor(ParsedClass parsed, int code) {
        if (code < 0) {
            return false;
        }
        int start = code + 8; // max_stack, max_locals, code_length
        int end = start + parsed.s4(code + 4);
        return mayEnterMonitor(parsed.file, start, end) && hasMonitorEnter(parsed, start, end);
    }

    /** Returns whether any byte is that opcode. Nearly every method is ruled out by this. */
    private static boolean mayEnterMonitor(byte[] file, int start, int end) {
        for (int at = start; at < end; at++) {
            if (file[at] == (byte) Opcodes.MONITORENTER) {
                return true;
            }
        }
        return false;
    }

    private static boolean hasMonitorEnter(ParsedClass parsed, int start, int end) {
        for (int at = start; at < end; at += Bytecode.length(parsed, at, start)) {
            if (parsed.u1(at) == Opcodes.MONITORENTER) {
                return true;
            }
        }
        return false;
    }
}
