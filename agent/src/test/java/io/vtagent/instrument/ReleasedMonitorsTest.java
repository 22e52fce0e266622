package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.reflect.InvocationTargetException;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ByteVector;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * A method that was {@code synchronized} has its monitor from its first line on, and releases it
 * wherever it ends.
 */
class ReleasedMonitorsTest {
    private static final int PUBLIC = Opcodes.ACC_PUBLIC;

    @ParameterizedTest
    @ValueSource(strings = {"I", "J", "F", "D", "Z", "Ljava/lang/Object;", "V"})
    void whateverItReturns(String descriptor) throws ReflectiveOperationException {
        Type type = Type.getType(descriptor);
        AssembledClass made =
                made(
                        0,
                        type,
                        code -> {
                            zero(code, type);
                            code.visitInsn(type.getOpcode(Opcodes.IRETURN));
                        });
        Object plain = made.plain().getConstructor().newInstance();
        Object wrapped = made.wrapped().getConstructor().newInstance();

        assertThat(run(wrapped)).isEqualTo(run(plain));
        assertThat(Thread.holdsLock(wrapped)).isFalse();
    }

    @Test
    void ifItThrowsBehindAReturn() throws ReflectiveOperationException {
        AssembledClass made =
                made(
                        0,
                        Type.VOID_TYPE,
                        code -> {
                            Label thrown = new Label();
                            code.visitVarInsn(Opcodes.ALOAD, 0);
                            code.visitJumpInsn(Opcodes.IFNONNULL, thrown);
                            code.visitInsn(Opcodes.RETURN);
                            code.visitLabel(thrown);
                            code.visitTypeInsn(Opcodes.NEW, "java/lang/IllegalStateException");
                            code.visitInsn(Opcodes.DUP);
                            code.visitMethodInsn(
                                    Opcodes.INVOKESPECIAL,
                                    "java/lang/IllegalStateException",
                                    "<init>",
                                    "()V",
                                    false);
                            code.visitInsn(Opcodes.ATHROW);
                        });
        Object wrapped = made.wrapped().getConstructor().newInstance();

        assertThat(run(wrapped)).isEqualTo("java.lang.IllegalStateException");
        assertThat(Thread.holdsLock(wrapped)).isFalse();
    }

    @Test
    void theCallsBeforeItsFirstInstructionHaveTheLineOfThat() {
        assertThat(
                        lines(
                                made(42, Type.VOID_TYPE, code -> code.visitInsn(Opcodes.RETURN))
                                        .wrappedFile()))
                .containsExactly("line 42", "instruction", "line 42");
        assertThat(
                        lines(
                                made(0, Type.VOID_TYPE, code -> code.visitInsn(Opcodes.RETURN))
                                        .wrappedFile()))
                .containsExactly("instruction");
    }

    @Test
    void orThatOfTheFirstInstructionThatHasOne() {
        assertThat(
                        lines(
                                withLines(
                                        code -> {
                                            code.visitInsn(Opcodes.NOP);
                                            line(code, 42);
                                            code.visitInsn(Opcodes.NOP);
                                            line(code, 43);
                                        })))
                .containsExactly("line 42", "instruction", "line 42", "line 43");
        assertThat(
                        lines(
                                withLines(
                                        code -> {
                                            line(code, 42);
                                            line(code, 43);
                                            code.visitInsn(Opcodes.NOP);
                                        })))
                .as("of two for one instruction, the one that the JVM reports")
                .startsWith("line 42", "instruction");
    }

    @Test
    void onceHoweverManyTablesOfLinesThereAre() {
        assertThat(
                        lines(
                                withLines(
                                        code -> {
                                            code.visitInsn(Opcodes.NOP);
                                            code.visitAttribute(
                                                    new LineTable(
                                                            1,
                                                            43)); // ASM writes it behind the others
                                            code.visitAttribute(new LineTable(0, 42));
                                            code.visitAttribute(new LineTable());
                                        })))
                .containsExactly("line 42", "instruction", "line 42", "line 43");
    }

    /** A further table: a compiler writes one. */
    private static final class LineTable extends Attribute {
        private final int[] entry;

        /**
         * @param entry an offset and its line, or nothing
         */
        LineTable(int... entry) {
            super("LineNumberTable");
            this.entry = entry;
        }

        @Override
        public boolean isCodeAttribute() {
            return true;
        }

        @Override
        protected ByteVector write(
                ClassWriter writer, byte @Nullable [] code, int length, int stack, int locals) {
            ByteVector bytes = new ByteVector().putShort(entry.length / 2);
            for (int number : entry) {
                bytes.putShort(number);
            }
            return bytes;
        }
    }

    private static byte[] withLines(Consumer<MethodVisitor> body) {
        return made(0, Type.VOID_TYPE, body.andThen(code -> code.visitInsn(Opcodes.RETURN)))
                .wrappedFile();
    }

    private static void line(MethodVisitor code, int line) {
        Label here = new Label();
        code.visitLabel(here);
        code.visitLineNumber(line, here);
    }

    /** With a method {@code run}, whose code begins at that line, if it is not 0. */
    private static AssembledClass made(int line, Type result, Consumer<MethodVisitor> body) {
        return AssembledClass.of(
                writer ->
                        AssembledClass.method(
                                writer,
                                PUBLIC | Opcodes.ACC_SYNCHRONIZED,
                                "run",
                                "()" + result.getDescriptor(),
                                code -> {
                                    if (line > 0) {
                                        line(code, line);
                                    }
                                    body.accept(code);
                                }));
    }

    private static void zero(MethodVisitor code, Type type) {
        switch (type.getSort()) {
            case Type.VOID -> {}
            case Type.LONG -> code.visitInsn(Opcodes.LCONST_1);
            case Type.FLOAT -> code.visitInsn(Opcodes.FCONST_1);
            case Type.DOUBLE -> code.visitInsn(Opcodes.DCONST_1);
            case Type.OBJECT -> code.visitInsn(Opcodes.ACONST_NULL);
            default -> code.visitInsn(Opcodes.ICONST_1);
        }
    }

    /** Returns the result, or the name of what it throws. */
    private static @Nullable Object run(Object made) throws ReflectiveOperationException {
        try {
            return made.getClass().getMethod("run").invoke(made);
        } catch (InvocationTargetException thrown) {
            return String.valueOf(thrown.getCause());
        }
    }

    /** The line numbers of {@code run}, and between them its first instruction. */
    private static List<String> lines(byte[] classFile) {
        List<String> found = new ArrayList<>();
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
                                return name.equals("run") ? linesOf(found) : null;
                            }
                        },
                        0);
        return found;
    }

    private static MethodVisitor linesOf(List<String> found) {
        return new Instructions() {
            @Override
            void instruction(int opcode, int slot, List<Label> targets) {
                if (!found.contains("instruction")) {
                    found.add("instruction");
                }
            }

            @Override
            public void visitLineNumber(int line, Label start) {
                found.add("line " + line);
            }
        };
    }
}
