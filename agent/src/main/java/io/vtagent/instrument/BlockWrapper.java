package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Wraps each {@code monitorenter} that {@link MonitorScan} found guarded. Whether the entry is timed waits on the stack until
 * the range of the releasing handler begins; the range is made to begin one call earlier.
 */
final class BlockWrapper extends MethodVisitor {

    private record Range(
            Label start, Label end, Label handler, @Nullable String type) {}

    private final MonitorScan.Method scanned;
    private final List<Range> ranges = new ArrayList<>();
    private final Set<Label> guardStarts = new HashSet<>();
    private final Map<Label, Label> movedStarts = new HashMap<>();
    private int entered;
    private boolean open;

    BlockWrapper(MethodVisitor next, MonitorScan.Method scanned) {
        super(Opcodes.ASM9, next);
        this.scanned = scanned;
    }

    @Override
    public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
        ranges.add(new Range(start, end, handler, type));
        if (type == null) {
            guardStarts.add(start);
        }
    }

    @Override
    public void visitInsn(int opcode) {
        if (opcode == Opcodes.MONITORENTER && scanned.guarded.get(entered++)) {
            ProbeCalls.enter(mv);
            open = true;
        } else {
            super.visitInsn(opcode);
        }
    }

    @Override
    public void visitLabel(Label label) {
        if (open && guardStarts.contains(label)) {
            Label moved = new Label();
            super.visitLabel(moved);
            ProbeCalls.entered(mv);
            movedStarts.put(label, moved);
            open = false;
        }
        super.visitLabel(label);
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        for (Range range : ranges) {
            Label start = movedStarts.getOrDefault(range.start, range.start);
            super.visitTryCatchBlock(start, range.end, range.handler, range.type);
        }
        super.visitMaxs(maxStack + 1, maxLocals);
    }
}
