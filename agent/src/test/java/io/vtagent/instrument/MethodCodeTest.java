package io.vtagent.instrument;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.junit.jupiter.api.Test;

class MethodCodeTest {
    private static final int FAR = Short.MAX_VALUE;

    @Test
    void whereAJumpMayLeadIsKnownOfEveryKind() {
        ClassWriter writer = new ClassWriter(0);
        writer.visit(Opcodes.V1_5, 0, AssembledClass.NAME, null, "java/lang/Object", null);
        MethodVisitor code = writer.visitMethod(Opcodes.ACC_STATIC, "run", "()V", null, null);
        Label[] places = new Label[4];
        for (int i = 0; i < places.length; i++) {
            places[i] = new Label();
            code.visitLabel(places[i]);
            code.visitInsn(Opcodes.NOP);
        }
        Map<Label, List<Label>> expected = new HashMap<>();
        expected.put(place(code), List.of(places[1]));
        code.visitJumpInsn(Opcodes.IFEQ, places[1]);
        expected.put(place(code), List.of(places[3], places[0], places[1], places[2]));
        code.visitTableSwitchInsn(5, 7, places[3], places[0], places[1], places[2]);
        expected.put(place(code), List.of(places[2], places[3], places[1]));
        code.visitLookupSwitchInsn(
                places[2], new int[] {10, 1_000}, new Label[] {places[3], places[1]});
        for (int i = 0; i < FAR; i++) {
            code.visitInsn(Opcodes.NOP);
        }
        expected.put(place(code), List.of(places[2]));
        code.visitJumpInsn(Opcodes.GOTO, places[2]);
        code.visitInsn(Opcodes.RETURN);
        code.visitMaxs(0, 0);
        ParsedClass parsed = new ParsedClass(writer.toByteArray());

        Map<Integer, List<Integer>> offsets = new HashMap<>();
        expected.forEach(
                (from, to) ->
                        offsets.put(from.getOffset(), to.stream().map(Label::getOffset).toList()));
        assertThat(jumps(new MethodCode(parsed, parsed.codeOf(0)))).isEqualTo(offsets);
    }

    private static Label place(MethodVisitor code) {
        Label here = new Label();
        code.visitLabel(here);
        return here;
    }

    /** Returns the targets of the instructions that jump, by their positions. */
    private static Map<Integer, List<Integer>> jumps(MethodCode code) {
        Map<Integer, List<Integer>> found = new HashMap<>();
        for (int offset = 0; offset < code.length; offset = code.next(offset)) {
            List<Integer> targets = new ArrayList<>();
            for (int target : code.targets(offset)) {
                targets.add(target);
            }
            if (!targets.isEmpty()) {
                found.put(offset, targets);
            }
        }
        return found;
    }
}
