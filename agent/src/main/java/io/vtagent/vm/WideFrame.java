package io.vtagent.vm;

import java.lang.invoke.MethodHandles;
import java.util.function.IntConsumer;
import jdk.internal.misc.Unsafe;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;

/**
 * Makes a method with thousands of local variables, none of which it touches. HotSpot makes sure at its entry that there is stack for
 * its frame as the interpreter lays it out, also where it is compiled and its own frame is small, since it may have to be
 * deoptimized: the interpreter lays it out and touches what comes behind it ({@code
 * TemplateInterpreterGenerator::generate_normal_entry}); compiled code touches each whole page of it, but nothing between ({@code
 * Compilation::bang_size_in_bytes} of C1, {@code PhaseOutput::bang_size_in_bytes} of C2, {@code
 * AbstractAssembler::generate_stack_overflow_check}). So it is with HotSpot's own compilers; another one may see that nothing is to be done.
 */
final class WideFrame {
    /** HotSpot's compilers put no method into its caller whose code is as long ({@code FreqInlineSize}, c2_globals.hpp): nothing would be left of it there. */
    private static final int LENGTH = 1_000;

    private WideFrame() {}

    /** A method that does nothing if it is given 0, but throws a {@code StackOverflowError} if so many bytes of stack are not left. */
    static IntConsumer of(int bytes) {
        int page = Unsafe.getUnsafe().pageSize();
        int wholePages = Math.ceilDiv(bytes, page) * page;
        int locals = Math.ceilDiv(wholePages + 1, Long.BYTES); // compiled code does not mind a single page
        try {
            return (IntConsumer) MethodHandles.lookup()
                    .defineClass(classFile(locals))
                    .getDeclaredConstructor()
                    .newInstance();
        } catch (ReflectiveOperationException impossible) {
            throw new LinkageError("a class that this one makes", impossible);
        }
    }

    private static byte[] classFile(int locals) {
        String consumer = Type.getInternalName(IntConsumer.class);
        String name = Type.getInternalName(WideFrame.class) + "$Of" + locals;
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, Opcodes.ACC_FINAL, name, null, "java/lang/Object", new String[] {consumer});
        MethodVisitor constructor = writer.visitMethod(0, "<init>", "()V", null, null);
        constructor.visitVarInsn(Opcodes.ALOAD, 0);
        constructor.visitMethodInsn(Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
        constructor.visitInsn(Opcodes.RETURN);
        constructor.visitMaxs(1, 1);
        // if it is given more than 0, it calls itself with one less: the JIT compilers ask for no stack where nothing
        // is called
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
