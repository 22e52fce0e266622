package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.List;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Sees every instruction of a method in one place. */
abstract class Instructions extends MethodVisitor {
    Instructions() {
        super(Opcodes.ASM9);
    }

    /**
     * @param slot the local variable, or -1
     * @param targets where it may jump
     */
    abstract void instruction(int opcode, int slot, List<Label> targets);

    private void plain(int opcode) {
        instruction(opcode, -1, List.of());
    }

    @Override
    public void visitInsn(int opcode) {
        plain(opcode);
    }

    @Override
    public void visitIntInsn(int opcode, int operand) {
        plain(opcode);
    }

    @Override
    public void visitVarInsn(int opcode, int slot) {
        instruction(opcode, slot, List.of());
    }

    @Override
    public void visitTypeInsn(int opcode, String type) {
        plain(opcode);
    }

    @Override
    public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
        plain(opcode);
    }

    @Override
    public void visitMethodInsn(
            int opcode, String owner, String name, String descriptor, boolean ofInterface) {
        plain(opcode);
    }

    @Override
    public void visitInvokeDynamicInsn(
            String name, String descriptor, Handle bootstrap, Object... arguments) {
        plain(Opcodes.INVOKEDYNAMIC);
    }

    @Override
    public void visitJumpInsn(int opcode, Label label) {
        instruction(opcode, -1, List.of(label));
    }

    @Override
    public void visitLdcInsn(Object value) {
        plain(Opcodes.LDC);
    }

    @Override
    public void visitIincInsn(int slot, int increment) {
        plain(Opcodes.IINC);
    }

    @Override
    public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
        choice(Opcodes.TABLESWITCH, otherwise, labels);
    }

    @Override
    public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
        choice(Opcodes.LOOKUPSWITCH, otherwise, labels);
    }

    private void choice(int opcode, Label otherwise, Label[] labels) {
        List<Label> targets = new ArrayList<>(List.of(labels));
        targets.add(otherwise);
        instruction(opcode, -1, targets);
    }

    @Override
    public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
        plain(Opcodes.MULTIANEWARRAY);
    }
}
