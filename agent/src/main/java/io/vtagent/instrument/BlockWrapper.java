package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Wraps each {@code monitorenter} for which {@link MonitorScan} found a guard. Whether the entry is timed waits on the stack until
 * the range of the releasing handler begins; the range is made to begin one call earlier.
 */
final class BlockWrapper extends MethodVisitor {

    private record Range(
            Label start, Label end, Label handler, @Nullable String type) {}

    private final Map<Integer, Integer> guards;
    private final List<Range> ranges = new ArrayList<>();
    /** Where the calls before the guards begin. */
    private final Map<Label, Label> calls = new HashMap<>();

    private int monitorEnters;
    private int labels;
    /** The label before which the next call goes, or -1. */
    private int guard = -1;

    BlockWrapper(MethodVisitor next, MonitorScan.Method scanned) {
        super(Opcodes.ASM9, next);
        guards = scanned.guards;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        ranges.add(new Range(start, end, handler, type));
    }

    @Override
    public void visitInsn(int opcode) {
        Integer found = opcode == Opcodes.MONITORENTER ? guards.get(monitorEnters++) : null;
        if (found == null) {
            super.visitInsn(opcode);
        } else {
            ProbeCalls.enter(mv);
            guard = found;
        }
    }

    @Override
    public void visitLabel(Label label) {
        if (labels++ == guard) {
            Label call = new Label();
            super.visitLabel(call);
            ProbeCalls.entered(mv);
            calls.put(label, call);
            guard = -1;
        }
        super.visitLabel(label);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        for (Range range : ranges) {
            Label start = calls.getOrDefault(range.start, range.start);
            // one that ends there does not release the monitor
            Label end = calls.getOrDefault(range.end, range.end);
            super.visitTryCatchBlock(start, end, range.handler, range.type);
        }
        super.visitMaxs(maxStack + 1, maxLocals);
    }
}
