package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Tools that rewrite classes, such as the one of the Kotlin compiler's own, keep of a frame only
 * what the code still needs: there the verifier does not know any more that local variable 0 is
 * {@code this}.
 */
class ForgottenThisTest {
    /** The encoding of a frame in which nothing, or only an int, is left. */
    enum Frame {
        EMPTY {
            @Override
            void visit(MethodVisitor code) {
                code.visitFrame(Opcodes.F_FULL, 0, new Object[0], 0, new Object[0]);
            }
        },
        CHOPPED {
            @Override
            void visit(MethodVisitor code) {
                code.visitFrame(Opcodes.F_CHOP, 1, null, 0, null);
            }
        },
        UNKNOWN {
            @Override
            void visit(MethodVisitor code) {
                Object[] locals = {Opcodes.TOP, Opcodes.INTEGER};
                code.visitFrame(Opcodes.F_FULL, locals.length, locals, 0, new Object[0]);
            }
        };

        abstract void visit(MethodVisitor code);
    }

    @ParameterizedTest
    @EnumSource
    void aSynchronizedMethodWithSuchAFrameIsLeftAlone(Frame frame)
            throws ReflectiveOperationException {
        AssembledClass made = AssembledClass.of(classFile(frame));

        assertThat(run(made.plain())).isEqualTo(5);
        assertThat(run(made.wrapped())).isEqualTo(5);
        assertThat(made.wrappedFile()).isSameAs(made.classFile());
    }

    private static Object run(Class<?> type) throws ReflectiveOperationException {
        return type.getMethod("run").invoke(type.getConstructor().newInstance());
    }

    /** With the frames as they are given, which are not computed. */
    private static byte[] classFile(Frame frame) {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V1_8,
                Opcodes.ACC_PUBLIC,
                AssembledClass.NAME,
                null,
                "java/lang/Object",
                new String[0]);
        MethodVisitor constructor =
                writer.visitMethod(Opcodes.ACC_PUBLIC, "<init>", "()V", null, null);
        constructor.visitCode();
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(
                Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        constructor.visitEnd();
        int access = Opcodes.ACC_PUBLIC | Opcodes.ACC_SYNCHRONIZED;
        MethodVisitor code = writer.visitMethod(access, "run", "()I", null, null);
        code.visitCode();
        Label target = new Label();
        code.visitInsn(Opcodes.ICONST_0);
        code.visitInsn(Opcodes.ICONST_0);
        code.visitVarInsn(Opcodes.ISTORE, 1);
        code.visitJumpInsn(Opcodes.IFEQ, target);
        code.visitInsn(Opcodes.NOP);
        code.visitLabel(target);
        frame.visit(code);
        code.visitInsn(Opcodes.ICONST_5);
        code.visitInsn(Opcodes.IRETURN);
        code.visitMaxs(2, 2);
        code.visitEnd();
        writer.visitEnd();
        return writer.toByteArray();
    }
}
