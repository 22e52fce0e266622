package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.BitSet;
import java.util.Collections;
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
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * A first look at the methods of a class that enter monitors. It alone decides what can be wrapped, and where the call after
 * {@code monitorenter} goes; who wraps counts instructions and labels in the same way, and follows.
 *
 * <p>The call must lie in the range of the handler that releases the monitor. Outside, HotSpot sees a method that may end with a
 * locked monitor (generateOopMap.cpp, "non-empty monitor stack at exceptional exit"), and compiles it no more. javac and ecj
 * begin the range at the next instruction; Kotlin lets harmless ones pass before.
 */
final class MonitorScan extends ClassVisitor {
    /** The class file holds the depth of the stack and the number of handlers in two bytes each. */
    private static final int MOST = 0xFFFF;

    /** What was found in a method. */
    static final class Method {
        /** The place in the class file. */
        final int index;

        final String name;
        final String descriptor;
        final int access;
        /** For each {@code monitorenter} that can be wrapped the label where the call goes, both counted from 0. */
        final Map<Integer, Integer> guards = new HashMap<>();

        int monitorEnters;
        boolean exitsMonitors;
        /**
         * Whether local variable 0 is overwritten, or a frame does not say that it is {@code this}, as where a tool has rewritten the class
         * and kept of a frame only what the code still needs.
         */
        boolean losesThis;
        /** Whether there is no place for one value more on the stack, or for the handlers. */
        boolean full;

        int firstLine;

        Method(int index, int access, String name, String descriptor) {
            this.index = index;
            this.access = access;
            this.name = name;
            this.descriptor = descriptor;
        }

        String id() {
            return name + descriptor;
        }

        boolean is(int modifier) {
            return (access & modifier) != 0;
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
        int index = visited++;
        return wanted.get(index) ? new CodeScan(new Method(index, access, name, descriptor)) : null;
    }

    /**
     * A {@code monitorenter}, and the label where the call would go.
     *
     * @param passed the labels between them; whoever jumped there would have no value on the stack for the call
     */
    private record Candidate(int entry, int guard, List<Label> passed) {}

    private final class CodeScan extends MethodVisitor {
        private final Method method;
        private final Set<Label> rangeStarts = new HashSet<>();
        private final Set<Label> targets = new HashSet<>();
        private final List<Candidate> candidates = new ArrayList<>();
        private final List<Label> passed = new ArrayList<>();
        private int labels;
        private int handlers;
        private int returns;
        /** The {@code monitorenter} whose range has not begun yet, or -1. */
        private int open = -1;
        /** How many words lie on the stack above where it was after that {@code monitorenter}. */
        private int pushed;
        /** Objects that are not initialized yet, which no call takes: the verifier lets their monitors be entered. */
        private int uninitialized;

        private boolean storesUninitialized;
        /** How many local variables the latest frame has, those of two words counted as one. */
        private int frameLocals;

        CodeScan(Method method) {
            super(Opcodes.ASM9);
            this.method = method;
            frameLocals = Type.getArgumentCount(method.descriptor) + (method.is(Opcodes.ACC_STATIC) ? 0 : 1);
            uninitialized = method.name.equals("<init>") ? 1 : 0;
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            if (type == null) {
                rangeStarts.add(start);
            }
            targets.add(handler);
            handlers++;
        }

        @Override
        public void visitLabel(Label label) {
            if (open >= 0 && pushed == 0 && rangeStarts.contains(label)) {
                candidates.add(new Candidate(open, labels, List.copyOf(passed)));
                open = -1;
            }
            passed.add(label);
            labels++;
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
            switch (type) {
                case Opcodes.F_FULL -> frameLocals = locals;
                case Opcodes.F_APPEND -> frameLocals += locals;
                case Opcodes.F_CHOP -> frameLocals -= locals;
                default -> {}
            }
            boolean named = type != Opcodes.F_FULL || (local != null && locals > 0 && local[0] instanceof String);
            method.losesThis |= frameLocals == 0 || !named;
            for (int i = 0; local != null && i < locals && i < local.length; i++) {
                storesUninitialized |= local[i] instanceof Label;
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER) {
                open = uninitialized == 0 ? method.monitorEnters : -1;
                method.monitorEnters++;
                pushed = 0;
                passed.clear();
            } else if (opcode == Opcodes.LCONST_0 || opcode == Opcodes.LCONST_1 || opcode >= Opcodes.DCONST_0) {
                open = -1;
                method.exitsMonitors |= opcode == Opcodes.MONITOREXIT;
                returns += opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN ? 1 : 0;
            } else if (opcode != Opcodes.NOP) {
                pushed++; // a constant
            }
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            method.losesThis |= slot == 0 && opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
            boolean storesWord = opcode == Opcodes.ISTORE || opcode == Opcodes.FSTORE || opcode == Opcodes.ASTORE;
            if (!storesWord || --pushed < 0) {
                open = -1; // what it stores may be the value that waits for the call
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            open = -1;
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            open = -1;
            uninitialized += opcode == Opcodes.NEW ? 1 : 0;
        }

        @Override
        public void visitFieldInsn(int opcode, String owner, String name, String descriptor) {
            open = -1;
        }

        @Override
        public void visitMethodInsn(int opcode, String owner, String name, String descriptor, boolean ofInterface) {
            open = -1;
            uninitialized -= name.equals("<init>") ? 1 : 0;
        }

        @Override
        public void visitInvokeDynamicInsn(String name, String descriptor, Handle bootstrap, Object... arguments) {
            open = -1;
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            open = -1;
            targets.add(label);
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
            visitSwitch(otherwise, labels);
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            visitSwitch(otherwise, labels);
        }

        private void visitSwitch(Label otherwise, Label[] labels) {
            open = -1;
            targets.add(otherwise);
            targets.addAll(List.of(labels));
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            open = -1;
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            method.full = maxStack + 2 > MOST || handlers + returns + 2 > MOST;
        }

        @Override
        public void visitEnd() {
            for (Candidate candidate : candidates) {
                boolean straight = Collections.disjoint(candidate.passed, targets);
                if (straight && !storesUninitialized && !method.full) {
                    method.guards.put(candidate.entry, candidate.guard);
                }
            }
            if (method.monitorEnters > 0 || method.is(Opcodes.ACC_SYNCHRONIZED)) {
                methods.put(method.id(), method);
            }
        }
    }
}
