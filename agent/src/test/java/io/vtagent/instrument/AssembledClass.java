package io.vtagent.instrument;

import io.vtagent.instrument.MonitorTransformer.ClassTally;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.FieldVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A class of the tests that no compiler would write, with and without what the agent does to it.
 */
final class AssembledClass {
    static final String NAME = "Made";

    private final ClassTally classes = new ClassTally();
    private final MonitorTransformer transformer =
            new MonitorTransformer(List.of(), List.of(), classes, false);
    private final Loader loader = new Loader();
    private final Loader plainLoader = new Loader();
    private final byte[] classFile;

    private AssembledClass(byte[] classFile) {
        this.classFile = classFile;
    }

    /** A loader that has one class, and that refuses to be compared. */
    static final class Loader extends ClassLoader {
        Loader() {
            super(AssembledClass.class.getClassLoader());
        }

        Class<?> define(byte[] classFile) {
            Class<?> type = defineClass(null, classFile, 0, classFile.length);
            if (type.getDeclaredMethods().length == 0) { // to ask for them verifies the class
                throw new IllegalArgumentException("there is no method");
            }
            return type;
        }

        @Override
        public boolean equals(@Nullable Object other) {
            throw new AssertionError("this is the application's code");
        }

        @Override
        public int hashCode() {
            throw new AssertionError("this is the application's code");
        }
    }

    /** With a constructor and what {@code members} adds; frames are computed from Java 6 on. */
    static AssembledClass of(
            int version, int access, List<String> interfaces, Consumer<ClassWriter> members) {
        return new AssembledClass(classFile(version, access, interfaces, members));
    }

    static AssembledClass of(byte[] classFile) {
        return new AssembledClass(classFile);
    }

    static AssembledClass of(Consumer<ClassWriter> members) {
        return of(Opcodes.V21, 0, List.of(), members);
    }

    static byte[] classFile(
            int version, int access, List<String> interfaces, Consumer<ClassWriter> members) {
        ClassWriter writer =
                new ClassWriter(
                        version >= Opcodes.V1_6
                                ? ClassWriter.COMPUTE_FRAMES
                                : ClassWriter.COMPUTE_MAXS);
        writer.visit(
                version,
                access | Opcodes.ACC_PUBLIC | Opcodes.ACC_SUPER,
                NAME,
                null,
                "java/lang/Object",
                interfaces.toArray(new String[0]));
        method(
                writer,
                Opcodes.ACC_PUBLIC,
                "<init>",
                "()V",
                code -> {
                    code.visitVarInsn(Opcodes.ALOAD, 0);
                    code.visitMethodInsn(
                            Opcodes.INVOKESPECIAL, "java/lang/Object", "<init>", "()V", false);
                    code.visitInsn(Opcodes.RETURN);
                });
        members.accept(writer);
        writer.visitEnd();
        return writer.toByteArray();
    }

    static void method(
            ClassWriter writer,
            int access,
            String name,
            String descriptor,
            Consumer<MethodVisitor> code) {
        MethodVisitor method = writer.visitMethod(access, name, descriptor, null, null);
        method.visitCode();
        code.accept(method);
        method.visitMaxs(0, 0);
        method.visitEnd();
    }

    /** A {@code synchronized} block of {@code this} that does nothing. */
    static void block(MethodVisitor code) {
        Label start = new Label();
        Label end = new Label();
        Label handler = new Label();
        code.visitTryCatchBlock(start, end, handler, null);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITORENTER);
        code.visitLabel(start);
        release(code, end, handler);
    }

    /** Ends the range, releases {@code this} and goes on; the handler releases it, too. */
    static void release(MethodVisitor code, Label end, Label handler) {
        Label after = new Label();
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitLabel(end);
        code.visitJumpInsn(Opcodes.GOTO, after);
        code.visitLabel(handler);
        code.visitVarInsn(Opcodes.ALOAD, 0);
        code.visitInsn(Opcodes.MONITOREXIT);
        code.visitInsn(Opcodes.ATHROW);
        code.visitLabel(after);
    }

    byte[] classFile() {
        return classFile;
    }

    ClassTally classes() {
        return classes;
    }

    /** As it is loaded without the agent. */
    Class<?> plain() {
        return plainLoader.define(classFile);
    }

    /** As it is loaded with it. */
    Class<?> wrapped() {
        return loader.define(wrappedFile());
    }

    byte[] wrappedFile() {
        return transformed(null, classFile);
    }

    /** Returns the agent's result for a new version of it. */
    byte[] again(byte[] newVersion) {
        return transformed(Runnable.class, newVersion); // not the class itself: it is not asked
    }

    private byte[] transformed(@Nullable Class<?> redefined, byte[] file) {
        byte[] wrapped = transformer.transform(loader, NAME, redefined, null, file);
        return wrapped == null ? file : wrapped;
    }

    /** The access flags of a method of a class file. */
    static int access(byte[] classFile, String method) {
        int[] found = {-1};
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public @Nullable MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                found[0] = name.equals(method) ? access : found[0];
                                return null;
                            }
                        },
                        0);
        return found[0];
    }

    /** The fields of a class file, each with its access flags and value. */
    static List<String> fields(byte[] classFile) {
        List<String> found = new ArrayList<>();
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public @Nullable FieldVisitor visitField(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    @Nullable Object value) {
                                found.add(access + " " + descriptor + " " + name + " " + value);
                                return null;
                            }
                        },
                        0);
        return found;
    }

    /** Returns how many instructions of that kind a class file has. */
    static int instructions(byte[] classFile, int wanted) {
        int[] found = {0};
        new ClassReader(classFile)
                .accept(
                        new ClassVisitor(Opcodes.ASM9) {
                            @Override
                            public MethodVisitor visitMethod(
                                    int access,
                                    String name,
                                    String descriptor,
                                    @Nullable String signature,
                                    String @Nullable [] exceptions) {
                                return new Instructions() {
                                    @Override
                                    void instruction(int opcode, int slot, List<Label> targets) {
                                        found[0] += opcode == wanted ? 1 : 0;
                                    }
                                };
                            }
                        },
                        0);
        return found[0];
    }
}
