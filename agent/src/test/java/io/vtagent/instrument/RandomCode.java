package io.vtagent.instrument;

import java.util.Random;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * A method {@code run(Object, Object, Object, int)} with monitors, made at random within the rules
 * of the verifier, which asks neither that a monitor is released nor that what is released was
 * entered. It reports to {@link RandomCodeTest.Trace} where it is.
 */
final class RandomCode {
    private static final String TRACE = Type.getInternalName(RandomCodeTest.Trace.class);
    private static final int MAX_STATEMENTS = 40;
    private static final int DEEPEST = 4;

    private final Random random;
    private final MethodVisitor code;

    /** The verifier of old class files wants the object of a monitor to be initialized. */
    private final boolean mayEnterUninitialized;

    /** The first parameter. */
    private final int first;

    private int locals;
    private int statements;

    private RandomCode(Random random, MethodVisitor code, int version, boolean isStatic) {
        mayEnterUninitialized = version >= Opcodes.V1_6;
        this.random = random;
        this.code = code;
        first = isStatic ? 0 : 1;
        locals = first + 4;
    }

    static void write(Random random, ClassWriter writer, int version, boolean isStatic) {
        int access =
                Opcodes.ACC_PUBLIC
                        | (isStatic ? Opcodes.ACC_STATIC : 0)
                        | (random.nextInt(3) > 0 ? Opcodes.ACC_SYNCHRONIZED : 0);
        String object = "Ljava/lang/Object;";
        AssembledClass.method(
                writer,
                access,
                "run",
                "(" + object + object + object + "I)I",
                code -> {
                    RandomCode made = new RandomCode(random, code, version, isStatic);
                    made.body(0, 0);
                    code.visitVarInsn(Opcodes.ILOAD, made.first + 3);
                    code.visitInsn(Opcodes.IRETURN);
                });
    }

    /**
     * @param below how many values lie on the stack
     */
    private void body(int depth, int below) {
        int count = 1 + random.nextInt(4);
        for (int i = 0; i < count && statements < MAX_STATEMENTS; i++) {
            statements++;
            statement(depth, below);
            trace();
        }
    }

    private void statement(int depth, int below) {
        int kinds = depth < DEEPEST ? 13 : 5;
        switch (random.nextInt(kinds)) {
            case 0 -> trace();
            case 1 -> throwSometimes();
            case 2 -> returnSometimes();
            case 3 -> changeNumber();
            case 4 -> unbalanced();
            case 5 -> branch(depth, below);
            case 6 -> loop(depth, below);
            case 7 -> carried(depth, below);
            case 8 -> caught(depth, below);
            default -> guarded(depth, below);
        }
    }

    private void trace() {
        code.visitIntInsn(Opcodes.SIPUSH, random.nextInt(10_000));
        code.visitMethodInsn(Opcodes.INVOKESTATIC, TRACE, "at", "(I)V", false);
    }

    private void object() {
        if (random.nextInt(20) == 0) {
            code.visitInsn(Opcodes.ACONST_NULL);
        } else if (random.nextInt(4) == 0) {
            code.visitMethodInsn(
                    Opcodes.INVOKESTATIC, TRACE, "self", "()Ljava/lang/Object;", false);
        } else {
            code.visitVarInsn(Opcodes.ALOAD, first + random.nextInt(3));
        }
    }

    /** Goes to the label it gives for some values of the number. */
    private Label sometimes() {
        Label otherwise = new Label();
        code.visitVarInsn(Opcodes.ILOAD, first + 3);
        code.visitIntInsn(Opcodes.SIPUSH, 1 << random.nextInt(6));
        code.visitInsn(Opcodes.IAND);
        code.visitJumpInsn(random.nextBoolean() ? Opcodes.IFEQ : Opcodes.IFNE, otherwise);
        return otherwise;
    }

    private void throwSometimes() {
        Label otherwise = sometimes();
        if (random.nextBoolean()) {
            code.visitInsn(Opcodes.ICONST_1);
            code.visitInsn(Opcodes.ICONST_0);
            code.visitInsn(Opcodes.IDIV);
            code.visitInsn(Opcodes.POP);
        } else {
            code.visitInsn(Opcodes.ACONST_NULL);
            code.visitInsn(Opcodes.ATHROW);
        }
        code.visitLabel(otherwise);
    }

    private void returnSometimes() {
        Label otherwise = sometimes();
        code.visitIntInsn(Opcodes.SIPUSH, random.nextInt(1000));
        code.visitInsn(Opcodes.IRETURN);
        code.visitLabel(otherwise);
    }

    private void changeNumber() {
        code.visitIincInsn(first + 3, 1 + random.nextInt(7));
    }

    private void unbalanced() {
        int kind = random.nextInt(12);
        if (kind > (mayEnterUninitialized ? 2 : 1)) {
            return;
        }
        Label otherwise = sometimes();
        switch (kind) {
            case 0 -> {
                object();
                code.visitInsn(Opcodes.MONITORENTER);
            }
            case 1 -> {
                object();
                code.visitInsn(Opcodes.MONITOREXIT);
            }
            default -> { // an object that is not initialized has a monitor, too
                code.visitTypeInsn(Opcodes.NEW, "java/lang/Object");
                code.visitInsn(Opcodes.DUP);
                code.visitInsn(Opcodes.DUP);
                code.visitInsn(Opcodes.MONITORENTER);
                code.visitInsn(Opcodes.DUP);
                code.visitInsn(Opcodes.MONITOREXIT);
                code.visitMethodInsn(
                        Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                code.visitInsn(Opcodes.POP);
            }
        }
        code.visitLabel(otherwise);
    }

    private void branch(int depth, int below) {
        Label otherwise = sometimes();
        Label end = new Label();
        body(depth + 1, below);
        code.visitJumpInsn(Opcodes.GOTO, end);
        code.visitLabel(otherwise);
        body(depth + 1, below);
        code.visitLabel(end);
    }

    private void loop(int depth, int below) {
        int counter = locals++;
        code.visitIntInsn(Opcodes.BIPUSH, random.nextInt(3));
        code.visitVarInsn(Opcodes.ISTORE, counter);
        Label head = new Label();
        code.visitLabel(head);
        body(depth + 1, below);
        code.visitIincInsn(counter, -1);
        code.visitVarInsn(Opcodes.ILOAD, counter);
        code.visitJumpInsn(Opcodes.IFGT, head);
    }

    /** A value lies below all of it. */
    private void carried(int depth, int below) {
        code.visitIntInsn(Opcodes.SIPUSH, random.nextInt(1000));
        body(depth + 1, below + 1);
        code.visitVarInsn(Opcodes.ILOAD, first + 3);
        code.visitInsn(Opcodes.IADD);
        code.visitVarInsn(Opcodes.ISTORE, first + 3);
    }

    private void caught(int depth, int below) {
        if (below > 0) {
            return; // the handler would not find it
        }
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label after = new Label();
        code.visitLabel(start);
        body(depth + 1, 0);
        code.visitIincInsn(first + 3, 1);
        code.visitLabel(end);
        code.visitJumpInsn(Opcodes.GOTO, after);
        code.visitLabel(handler);
        code.visitInsn(Opcodes.POP);
        trace();
        code.visitLabel(after);
        String type = random.nextBoolean() ? "java/lang/RuntimeException" : null;
        code.visitTryCatchBlock(start, end, handler, type);
    }

    /** A {@code synchronized} block, in a shape that compilers write or in one that they do not. */
    private void guarded(int depth, int below) {
        int monitor = locals++;
        int dips = random.nextInt(3);
        for (int i = 0; i < dips; i++) {
            code.visitIntInsn(Opcodes.BIPUSH, random.nextInt(100));
        }
        object();
        code.visitInsn(Opcodes.DUP);
        code.visitVarInsn(Opcodes.ASTORE, monitor);
        code.visitInsn(Opcodes.MONITORENTER);
        int left = betweenEntryAndRange(dips);
        Label loopHead = new Label();
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        Label after = new Label();
        boolean loops = random.nextInt(4) == 0;
        code.visitLabel(start);
        if (loops) {
            code.visitLabel(loopHead);
        }
        if (random.nextInt(4) > 0) {
            trace();
        }
        for (int i = 0; i < left; i++) {
            code.visitVarInsn(Opcodes.ISTORE, first + 3);
        }
        body(depth + 1, below);
        if (loops && left == 0) {
            code.visitIincInsn(first + 3, 1);
            code.visitVarInsn(Opcodes.ILOAD, first + 3);
            code.visitInsn(Opcodes.ICONST_3);
            code.visitInsn(Opcodes.IAND);
            code.visitJumpInsn(Opcodes.IFNE, loopHead);
        }
        code.visitVarInsn(Opcodes.ALOAD, monitor);
        boolean exitCovered = random.nextBoolean();
        if (!exitCovered) {
            code.visitLabel(end);
        }
        code.visitInsn(Opcodes.MONITOREXIT);
        if (exitCovered) {
            code.visitLabel(end);
        }
        code.visitJumpInsn(Opcodes.GOTO, after);
        code.visitLabel(handler);
        code.visitVarInsn(Opcodes.ALOAD, monitor);
        code.visitInsn(Opcodes.MONITOREXIT);
        boolean swallows = below == 0 && random.nextInt(3) == 0;
        code.visitInsn(swallows ? Opcodes.POP : Opcodes.ATHROW);
        code.visitLabel(after);
        code.visitTryCatchBlock(
                start, end, handler, random.nextInt(8) == 0 ? "java/lang/RuntimeException" : null);
    }

    /** Gives how many of the values that were below the monitor are still there. */
    private int betweenEntryAndRange(int dips) {
        int left = dips;
        int above = 0;
        for (int i = random.nextInt(4); i > 0; i--) {
            if (random.nextBoolean()) {
                code.visitInsn(Opcodes.ICONST_0 + random.nextInt(6));
                above++;
            } else if (above > 0) {
                code.visitVarInsn(Opcodes.ISTORE, locals++);
                above--;
            } else if (left > 0) {
                code.visitVarInsn(Opcodes.ISTORE, first + 3);
                left--;
            } else {
                code.visitInsn(Opcodes.NOP);
            }
            if (random.nextInt(4) == 0) {
                code.visitLabel(new Label());
            }
        }
        return left + above;
    }
}
