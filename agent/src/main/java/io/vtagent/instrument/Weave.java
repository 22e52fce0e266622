package io.vtagent.instrument;

import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/** How the probe is called from a method of the JDK. */
interface Weave {

    /** @param descriptor of the method that {@code code} belongs to */
    MethodVisitor into(MethodVisitor code, int access, String descriptor);

    /** Calls {@code before()} first, and {@code after(Throwable)} last with what the method throws, or null. */
    static Weave around(String before, String after) {
        return (code, access, descriptor) -> new Around(code, before, after);
    }

    /** Calls {@code probe(argument)} first, with the first argument, which the probe takes as {@code parameter}. */
    static Weave onEntry(String probe, String parameter) {
        return (code, access, descriptor) -> new MethodVisitor(Opcodes.ASM9, code) {
            @Override
            public void visitCode() {
                super.visitCode();
                Type argument = Type.getArgumentTypes(descriptor)[0];
                int slot = (access & Opcodes.ACC_STATIC) == 0 ? 1 : 0;
                super.visitVarInsn(argument.getOpcode(Opcodes.ILOAD), slot);
                ProbeCalls.call(mv, probe, "(" + (parameter.isEmpty() ? argument.getDescriptor() : parameter) + ")V");
            }

            @Override
            public void visitMaxs(int maxStack, int maxLocals) {
                super.visitMaxs(Math.max(maxStack, 2), maxLocals);
            }
        };
    }

    /** Calls {@code probe(result)} before the method returns, or {@code probe()} if it returns nothing. */
    static Weave onReturn(String probe) {
        return (code, access, descriptor) -> new MethodVisitor(Opcodes.ASM9, code) {
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
        };
    }

    /** The code of {@link #around}: the body in a {@code try} that catches and rethrows everything. */
    final class Around extends MethodVisitor {
        private final Label start = new Label();
        private final String before;
        private final String after;

        Around(MethodVisitor code, String before, String after) {
            super(Opcodes.ASM9, code);
            this.before = before;
            this.after = after;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            ProbeCalls.call(mv, before, "()V");
            super.visitLabel(start);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                super.visitInsn(Opcodes.ACONST_NULL);
                ProbeCalls.call(mv, after, "(Ljava/lang/Throwable;)V");
            }
            super.visitInsn(opcode);
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            Label end = new Label();
            super.visitLabel(end);
            super.visitFrame(Opcodes.F_FULL, 0, new Object[0], 1, new Object[] {ProbeCalls.THROWABLE});
            super.visitInsn(Opcodes.DUP);
            ProbeCalls.call(mv, after, "(Ljava/lang/Throwable;)V");
            super.visitInsn(Opcodes.ATHROW);
            // behind the method's own handlers, which come first
            super.visitTryCatchBlock(start, end, end, null);
            super.visitMaxs(Math.max(maxStack + 1, 2), maxLocals);
        }
    }
}
