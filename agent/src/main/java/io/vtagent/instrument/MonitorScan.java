package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * A first look at the methods of a class that enter monitors: which of these can be wrapped.
 *
 * <p>The call after {@code monitorenter} must lie in the range of the handler that releases the monitor. Outside, HotSpot sees
 * a method that may end with a locked monitor (generateOopMap.cpp, "non-empty monitor stack at exceptional exit"), and compiles
 * it no more. javac and ecj begin the range at the next instruction; Kotlin lets harmless ones pass before.
 */
final class MonitorScan extends ClassVisitor {

    /** What was found in a method. */
    static final class Method {
        final String name;
        final String descriptor;
        final int access;
        /** The {@code monitorenter} instructions, counted in their order, that can be wrapped. */
        final BitSet guarded = new BitSet();

        int monitorEnters;
        boolean overwritesThis;
        int firstLine;

        Method(int access, String name, String descriptor) {
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
        }

        boolean isSynchronized() {
            return (access & Opcodes.ACC_SYNCHRONIZED) != 0;
        }

        boolean isStatic() {
            return (access & Opcodes.ACC_STATIC) != 0;
        }
    }

    private final BitSet wanted;
    private final Map<String, Method> methods = new HashMap<>();
    private int visited;

    private MonitorScan(BitSet wanted) {
        super(Opcodes.ASM9);
        this.wanted = wanted;
    }

    /** Looks at the methods whose places in the class file are {@code wanted}; reading the code of others would take long. */
    static MonitorScan of(ClassReader reader, BitSet wanted) {
        MonitorScan scan = new MonitorScan(wanted);
        reader.accept(scan, 0);
        return scan;
    }

    /** The method with that name and descriptor, if it is synchronized or enters a monitor. */
    @Nullable
    Method method(String name, String descriptor) {
        return methods.get(name + descriptor);
    }

    List<Method> methods() {
        return new ArrayList<>(methods.values());
    }

    @Override
    public @Nullable MethodVisitor visitMethod(
            int access, String name, String descriptor, @Nullable String signature, String @Nullable [] exceptions) {
        return wanted.get(visited++) ? new CodeScan(new Method(access, name, descriptor)) : null;
    }

    private final class CodeScan extends MethodVisitor {
        private final Method method;
        private final Set<Label> rangeStarts = new HashSet<>();
        /** The {@code monitorenter} whose range has not begun yet, or -1. */
        private int open = -1;
        /** How many words lie on the stack above where it was after that {@code monitorenter}. */
        private int pushed;

        CodeScan(Method method) {
            super(Opcodes.ASM9);
            this.method = method;
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            if (type == null) {
                rangeStarts.add(start);
            }
        }

        @Override
        public void visitLabel(Label label) {
            if (open >= 0 && pushed == 0 && rangeStarts.contains(label)) {
                method.guarded.set(open);
                open = -1;
            }
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            if (method.firstLine == 0) {
                method.firstLine = line;
            }
        }

        @Override
        public void visitFrame(int type, int locals, Object @Nullable [] local, int stacks, Object @Nullable [] stack) {
            open = -1; // a jump leads here
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
                open = method.monitorEnters++;
                pushed = 0;
            } else if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1 || opcode >= Opcodes.DCONST_0) {
                open = -1;
            } else if (opcode != Opcodes.NOP) {
                pushed++; // a constant
            }
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            method.overwritesThis |= slot == 0 && opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
            if (opcode == Opcodes.ISTORE || opcode == Opcodes.FSTORE || opcode == Opcodes.ASTORE) {
                pushed--;
            } else {
                open = -1;
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            open = -1;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            open = -1;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            open = -1;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            open = -1;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            open = -1;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            open = -1;
        }

        @Override
        public void visitLdcInsn(Object value) {
            open = -1;
        }

        @Override
        public void visitIincInsn(int slot, int increment) {
            open = -1;
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            open = -1;
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            open = -1;
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            open = -1;
        }

        @Override
        public void visitEnd() {
            if (method.monitorEnters > 0 || method.isSynchronized()) {
                methods.put(method.name + method.descriptor, method);
            }
        }
    }
}
