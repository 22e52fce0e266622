package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/** A way of calling the probe from a method of the JDK. */
final class Weave {
    private enum Place {
        AROUND,
        ENTRY,
        RETURN
    }

    private final Place place;
    private final String probe;

    /** The second method of the probe, or the descriptor of its parameter. */
    private final String other;

    private Weave(Place place, String probe, String other) {
        this.place = place;
        this.probe = probe;
        this.other = other;
    }

    /**
     * Calls {@code before()} first and {@code after(Object, Throwable)} last. The arguments are the
     * result of {@code before()} and the exception that the method throws, or null.
     */
    static Weave around(String before, String after) {
        return new Weave(Place.AROUND, before, after);
    }

    /**
     * Calls {@code probe(argument)} first, with the first argument of the method. {@code parameter}
     * is the descriptor of the probe's parameter; if empty, the one of the argument is used.
     */
    static Weave onEntry(String probe, String parameter) {
        return new Weave(Place.ENTRY, probe, parameter);
    }

    /**
     * Calls {@code probe(result)} before the method returns, or {@code probe()} if it returns
     * nothing.
     */
    static Weave onReturn(String probe) {
        return new Weave(Place.RETURN, probe, "");
    }

    /**
     * Returns a visitor that adds the calls to {@code code}. It must receive expanded frames.
     *
     * @param descriptor the descriptor of the method that {@code code} belongs to
     * @param locals the number of words of local variables of the method
     */
    MethodVisitor into(MethodVisitor code, int access, String descriptor, int locals) {
        if (place == Place.AROUND) {
            return new Around(code, probe, other, locals);
        }
        return place == Place.ENTRY
                ? new OnEntry(code, access, descriptor, probe, other)
                : new OnReturn(code, descriptor, probe);
    }

    /** The visitor of {@link #onEntry}. */
    private static final class OnEntry extends MethodVisitor {
        private final int access;
        private final String descriptor;
        private final String probe;
        private final String parameter;

        OnEntry(MethodVisitor code, int access, String descriptor, String probe, String parameter) {
            super(Opcodes.ASM9, code);
            this.access = access;
            this.descriptor = descriptor;
            this.probe = probe;
            this.parameter = parameter;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            Type argument = Type.getArgumentTypes(descriptor)[0];
            int slot = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
            super.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
            String type = parameter.isEmpty() ? argument.getDescriptor() : parameter;
            ProbeCalls.call(mv, probe, "(" + type + ")V");
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(Math.max(maxStack, 2), maxLocals);
        }
    }

    /** The visitor of {@link #onReturn}. */
    private static final class OnReturn extends MethodVisitor {
        private final String descriptor;
        private final String probe;

        OnReturn(MethodVisitor code, String descriptor, String probe) {
            super(Opcodes.ASM9, code);
            this.descriptor = descriptor;
            this.probe = probe;
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.RETURN) {
                ProbeCalls.call(mv, probe, "()V");
            } else if (opcode >= Opcodes.IRETURN && opcode < Opcodes.RETURN) {
                Type result = Type.getReturnType(descriptor);
                super.visitInsn(result.getSize() == 2 ? Opcodes.DUP2 : Opcodes.DUP);
                ProbeCalls.call(mv, probe, "(" + result.getDescriptor() + ")V");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            super.visitMaxs(maxStack + 2, maxLocals);
        }
    }

    /**
     * The visitor of {@link #around}. It puts the body into a {@code try} that catches and rethrows
     * everything, and keeps the result of {@code before()} in a local variable behind all others.
     */
    private static final class Around extends MethodVisitor {
        private static final String OBJECT = "java/lang/Object";

        private final Label start = new Label();
        private final String before;
        private final String after;
        private final int kept;

        Around(MethodVisitor code, String before, String after, int locals) {
            super(Opcodes.ASM9, code);
            this.before = before;
            this.after = after;
            kept = locals;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            ProbeCalls.call(mv, before, "()Ljava/lang/Object;");
            super.visitVarInsn(Opcodes.ASTORE, kept);
            super.visitLabel(start);
        }

        @Override
        public void visitFrame(
                int type,
                int count,
                Object @Nullable [] local,
                int stacks,
                Object @Nullable [] stack) {
            List<Object> locals = new ArrayList<>();
            int words = 0;
            for (int i = 0; local != null && i < count; i++) {
                locals.add(local[i]);
                words += local[i] == Opcodes.LONG || local[i] == Opcodes.DOUBLE ? 2 : 1;
            }
            for (; words < kept; words++) {
                locals.add(Opcodes.TOP);
            }
            locals.add(OBJECT);
            super.visitFrame(type, locals.size(), locals.toArray(), stacks, stack);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                super.visitVarInsn(Opcodes.ALOAD, kept);
                super.visitInsn(Opcodes.ACONST_NULL);
                callAfter();
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            Label end = new Label();
            super.visitLabel(end);
            visitFrame(Opcodes.F_NEW, 0, null, 1, new Object[] {ProbeCalls.THROWABLE});
            super.visitInsn(Opcodes.DUP);
            super.visitVarInsn(Opcodes.ALOAD, kept);
            super.visitInsn(Opcodes.SWAP);
            callAfter();
            super.visitInsn(Opcodes.ATHROW);
            // added after the method's own handlers, which take precedence
            super.visitTryCatchBlock(start, end, end, null);
            super.visitMaxs(Math.max(maxStack + 2, 3), maxLocals + 1);
        }

        private void callAfter() {
            ProbeCalls.call(mv, after, "(Ljava/lang/Object;Ljava/lang/Throwable;)V");
        }
    }
}
