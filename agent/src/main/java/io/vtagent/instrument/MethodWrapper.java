package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Makes the body of a method that was {@code synchronized} a {@code synchronized} block, in the shape that javac gives one, and
 * wraps its entry. The monitor is {@code this} or the class, which both can be loaded again wherever they are needed.
 */
final class MethodWrapper extends MethodVisitor {
    private final String owner;
    private final MonitorScan.Method scanned;
    private final boolean hasFrames;
    private final List<Label> starts = new ArrayList<>();
    private final List<Label> ends = new ArrayList<>();

    MethodWrapper(MethodVisitor next, String owner, MonitorScan.Method scanned, boolean hasFrames) {
        super(Opcodes.ASM9, next);
        this.owner = owner;
        this.scanned = scanned;
        this.hasFrames = hasFrames;
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
        ProbeCalls.enter(mv);
        beginRange();
        ProbeCalls.entered(mv);
    }

    @Override
    public void visitInsn(int opcode) {
        boolean returns = opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        if (returns) {
            loadMonitor();
            super.visitInsn(Opcodes.MONITOREXIT);
            endRange();
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
            Object[] locals = scanned.isStatic() ? new Object[0] : new Object[] {owner};
            super.visitFrame(Opcodes.F_FULL, locals.length, locals, 1, new Object[] {ProbeCalls.THROWABLE});
        }
        starts.add(handler);
        loadMonitor();
        super.visitInsn(Opcodes.MONITOREXIT);
        endRange();
        super.visitInsn(Opcodes.ATHROW);
        // behind the method's own handlers, which come first
        for (int range = 0; range < starts.size(); range++) {
            if (starts.get(range).getOffset() < ends.get(range).getOffset()) {
                super.visitTryCatchBlock(starts.get(range), ends.get(range), handler, null);
            }
        }
        super.visitMaxs(Math.max(maxStack + 1, 2), maxLocals);
    }

    private void loadMonitor() {
        if (scanned.isStatic()) {
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
