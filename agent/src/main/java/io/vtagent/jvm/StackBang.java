package io.vtagent.jvm;

import java.lang.invoke.MethodHandles;
import java.util.function.IntConsumer;
import jdk.internal.misc.Unsafe;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Generates a method with thousands of local variables, none of which it touches. At the method's
 * entry HotSpot makes sure that the stack has space for its frame as the interpreter lays it out.
 * It does so even if the method is compiled and its own frame is small, because the method may have
 * to be deoptimized.
 *
 * <p>The interpreter lays out the frame and touches what comes behind it ({@code
 * TemplateInterpreterGenerator::generate_normal_entry}). Compiled code touches each whole page of
 * it, and nothing between ({@code Compilation::bang_size_in_bytes} of C1, {@code
 * PhaseOutput::bang_size_in_bytes} of C2, {@code
 * AbstractAssembler::generate_stack_overflow_check}). This holds for HotSpot's own compilers;
 * another compiler may find that nothing has to be done.
 */
final class StackBang {
    /**
     * The length of the generated code. HotSpot's compilers do not inline a method of this length
     * ({@code FreqInlineSize}, c2_globals.hpp). Inlined, nothing would be left of it.
     */
    private static final int LENGTH = 1_000;

    private StackBang() {}

    /**
     * Returns a function that does nothing if it is given 0, except that it throws a {@code
     * StackOverflowError} if fewer than {@code bytes} of stack are left.
     */
    static IntConsumer of(int bytes) {
        int page = Unsafe.getUnsafe().pageSize();
        int wholePages = Math.ceilDiv(bytes, page) * page;
        int locals =
                Math.ceilDiv(wholePages + 1, Long.BYTES); // compiled code ignores a single page
        try {
            return (IntConsumer)
                    MethodHandles.lookup()
                            .defineClass(classFile(locals))
                            .getDeclaredConstructor()
                            .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("a class that this one makes", impossible);
        }
    }

    private static byte[] classFile(int locals) {
        String consumer = Type.getInternalName(IntConsumer.class);
        String name = Type.getInternalName(StackBang.class) + "$Of" + locals;
        ClassWriter writer = new ClassWriter(0);
        writer.visit(
                Opcodes.V21,
                Opcodes.ACC_FINAL,
                name,
                null,
                "java/lang/Object",
                new String[] {consumer});
        MethodVisitor constructor = writer.visitMethod(0, "<init>", "()V", null, null);
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(
                Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        // given more than 0, it calls itself with 0: the JIT compilers check no stack in a method
        // that calls nothing
        MethodVisitor accept = writer.visitMethod(Opcodes.ACC_PUBLIC, "accept", "(I)V", null, null);
        Label end = new Label();
        accept.visitVarInsn(Opcodes.ILOAD, 1);
        accept.visitJumpInsn(Opcodes.IFLE, end);
        for (int i = 0; i < LENGTH; i++) {
            accept.visitInsn(Opcodes.NOP);
        }
        accept.visitInsn(Opcodes.ICONST_0);
        accept.visitVarInsn(Opcodes.ISTORE, locals - 1);
        accept.visitVarInsn(Opcodes.ALOAD, 0);
        accept.visitInsn(Opcodes.ICONST_0);
        accept.visitMethodInsn(Opcodes.INVOKEINTERFACE, consumer, "accept", "(I)V", true);
        accept.visitLabel(end);
        accept.visitFrame(Opcodes.F_SAME, 0, null, 0, null);
        accept.visitInsn(Opcodes.RETURN);
        accept.visitMaxs(3, locals);
        return writer.toByteArray();
    }
}
