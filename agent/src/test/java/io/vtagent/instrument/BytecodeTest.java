package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

class BytecodeTest {
    /** Such as an opcode alone stands for, those that need a byte, and those that need two. */
    private static final int[] VARIABLES = {0, 1, 2, 3, 4, 255, 256, 0xFFFF};

    private record Access(int opcode, int variable) {}

    @Test
    void aLoadOrStoreIsKnownInEachOfItsForms() {
        List<Access> written = new ArrayList<>();
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V21, 0, AssembledClass.NAME, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
        for (int opcode = Opcodes.ILOAD; opcode <= Opcodes.ASTORE; opcode++) {
            if (opcode <= Opcodes.ALOAD || opcode >= Opcodes.ISTORE) {
                for (int variable : VARIABLES) {
                    code.visitVarInsn(opcode, variable);
                    written.add(new Access(opcode, variable));
                }
            }
        }
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);

        assertThat(accesses(new ParsedClass(writer.toByteArray()))).isEqualTo(written);
    }

    /** Up to the last instruction. */
    private static List<Access> accesses(ParsedClass parsed) {
        MethodCode code = new MethodCode(parsed, parsed.codeOf(0));
        List<Access> found = new ArrayList<>();
        for (int offset = 0; code.next(offset) < code.length; offset = code.next(offset)) {
            int at = code.start + offset;
            found.add(new Access(Bytecode.localAccess(parsed, at), Bytecode.slot(parsed, at)));
        }
        return found;
    }

    @Test
    void noOtherInstructionIsTakenForOne() {
        for (int opcode = 0; opcode <= Bytecode.JSR_W; opcode++) {
            boolean accesses =
                    (opcode >= Opcodes.ILOAD && opcode < Opcodes.IALOAD)
                            || (opcode >= Opcodes.ISTORE && opcode < Opcodes.IASTORE)
                            || opcode == Bytecode.WIDE;
            assertThat(localAccess(opcode, Opcodes.ALOAD) >= 0)
                    .as("opcode %d", opcode)
                    .isEqualTo(accesses);
        }
        assertThat(localAccess(Bytecode.WIDE, Opcodes.IINC)).isNegative();
    }

    @Test
    void aStoreIsNoLoad() {
        for (int kind = 0; kind <= Opcodes.ALOAD - Opcodes.ILOAD; kind++) {
            assertThat(Bytecode.isStore(Opcodes.ILOAD + kind)).isFalse();
            assertThat(Bytecode.isStore(Opcodes.ISTORE + kind)).isTrue();
        }
        assertThat(Bytecode.isStore(-1)).isFalse();
    }

    /** Returns the local variable of an instruction that begins with these bytes. */
    private static int localAccess(int... bytes) {
        byte[] classFile = AssembledClass.classFile(Opcodes.V21, 0, List.of(), writer -> {});
        byte[] withBytes = Arrays.copyOf(classFile, classFile.length + bytes.length);
        for (int i = 0; i < bytes.length; i++) {
            withBytes[classFile.length + i] = (byte) bytes[i];
        }
        return Bytecode.localAccess(new ParsedClass(withBytes), classFile.length);
    }
}
