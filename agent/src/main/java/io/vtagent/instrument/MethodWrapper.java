package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Makes the body of a method that was {@code synchronized} a {@code synchronized} block, and wraps its entry. The monitor is
 * {@code this} or the class, which both can be loaded again wherever they are needed.
 *
 * <p>Unlike javac's, the handler does not catch what {@code monitorexit} throws: code may have released the monitor before, and
 * would then throw for ever. HotSpot's analysis of monitors assumes that a {@code monitorexit} that fits does not throw.
 */
final class MethodWrapper extends MethodVisitor {
    private final String owner;
    private final MonitorScan.Method scanned;
    private final boolean hasFrames;
    private final boolean probed;
    private final List<Label> starts = new ArrayList<>();
    private final List<Label> ends = new ArrayList<>();

    /** @param probed whether the entry is timed */
    MethodWrapper(MethodVisitor next, String owner, MonitorScan.Method scanned, boolean hasFrames, boolean probed) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.scanned = scanned;
        this.hasFrames = hasFrames;
        this.probed = probed;
    }

    @Override
    public void visitCode() {
        super.visitCode();
        Label prologue = new Label();
        super.visitLabel(prologue);
        if (scanned.firstLine > 0) {
            super.visitLineNumber(scanned.firstLine, prologue);
        }
        loadMonitor();
        if (probed) {
            ProbeCalls.enter(mv);
            beginRange();
            ProbeCalls.entered(mv);
        } else {
            super.visitInsn(Opcodes.MONITORENTER);
            beginRange();
        }
    }

    @Override
    public void visitInsn(int opcode) {
        boolean returns = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        if (returns) {
            releaseMonitor();
        }
        super.visitInsn(opcode);
        if (returns) {
            beginRange();
        }
    }

    @Override
    public void visitMaxs(int maxStack, int maxLocals) {
        Label handler = new Label();
        ends.add(handler);
        super.visitLabel(handler);
        if (hasFrames) {
            Object[] locals = scanned.is(Opcodes.ACC_STATIC) ? new Object[0] : new Object[] {owner};
            super.visitFrame(Opcodes.F_FULL, locals.length, locals, 1, new Object[] {ProbeCalls.THROWABLE});
        }
        starts.add(handler);
        releaseMonitor();
        super.visitInsn(Opcodes.ATHROW);
        // behind the method's own handlers, which come first
        for (int range = 0; range < starts.size(); range++) {
            if (starts.get(range).getOffset() < ends.get(range).getOffset()) {
                super.visitTryCatchBlock(starts.get(range), ends.get(range), handler, null);
            }
        }
        super.visitMaxs(Math.max(maxStack + 1, 2), maxLocals);
    }

    private void releaseMonitor() {
        loadMonitor();
        endRange();
        super.visitInsn(Opcodes.MONITOREXIT);
    }

    private void loadMonitor() {
        if (scanned.is(Opcodes.ACC_STATIC)) {
            super.visitLdcInsn(Type.getObjectType(owner));
        } else {
            super.visitVarInsn(Opcodes.ALOAD, 0);
        }
    }

    private void beginRange() {
        Label start = new Label();
        super.visitLabel(start);
        starts.add(start);
    }

    private void endRange() {
        Label end = new Label();
        super.visitLabel(end);
        ends.add(end);
    }
}
