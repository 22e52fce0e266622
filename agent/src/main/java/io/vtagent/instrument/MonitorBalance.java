package io.vtagent.instrument;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Whether a method releases, on every way, what its own blocks have entered and nothing else, as compilers write it. The
 * verifier does not ask that; where a block releases the monitor of its {@code synchronized} method, a block in place of that
 * modifier would not do the same.
 */
final class MonitorBalance {
    private static final int[] NONE = {};

    /**
     * An instruction.
     *
     * @param slot of the local variable that is stored, or that holds the monitor; -1 if it is unknown
     * @param targets where it may jump
     */
    private record Step(int opcode, int slot, List<Label> targets) {
        boolean mayThrow() {
            // as generateOopMap.cpp has it, which also takes it that a release that fits does not throw
            boolean loads = opcode <= Opcodes.ALOAD && opcode != Opcodes.LDC;
            return !loads && !isStore() && !isReturn() && opcode != Opcodes.MONITOREXIT && opcode != Opcodes.GOTO;
        }

        boolean isStore() {
            return opcode >= Opcodes.ISTORE && opcode <= Opcodes.ASTORE;
        }

        boolean isReturn() {
            return opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
        }

        boolean goesOn() {
            return !isReturn() && opcode != Opcodes.GOTO && opcode != Opcodes.ATHROW && !isSwitch();
        }

        boolean isSwitch() {
            return opcode == Opcodes.TABLESWITCH || opcode == Opcodes.LOOKUPSWITCH;
        }
    }

    private record Range(Label start, Label end, Label handler, boolean catchesAll) {}

    private MonitorBalance() {}

    /** Of the methods {@code ids} those that are balanced. */
    static Set<String> of(ClassReader reader, Set<String> ids) {
        Set<String> balanced = new HashSet<>();
        ClassVisitor visitor = new ClassVisitor(Opcodes.ASM9) {
            @Override
            public @Nullable MethodVisitor visitMethod(
                    int access,
                    String name,
                    String descriptor,
                    @Nullable String signature,
                    String @Nullable [] exceptions) {
                String id = name + descriptor;
                return ids.contains(id) ? new Code(() -> balanced.add(id)) : null;
            }
        };
        reader.accept(visitor, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        return balanced;
    }

    private static final class Code extends Instructions {
        private final Runnable onBalanced;
        private final List<Step> steps = new ArrayList<>();
        private final List<Range> ranges = new ArrayList<>();
        private final Map<Label, Integer> places = new HashMap<>();
        /** For each instruction the local variables with the monitors that are held before it, in their order. */
        private final Map<Integer, int[]> held = new HashMap<>();

        private final Deque<Integer> open = new ArrayDeque<>();
        private boolean balanced = true;

        Code(Runnable onBalanced) {
            this.onBalanced = onBalanced;
        }

        @Override
        public void visitTryCatchBlock(Label start, Label end, Label handler, @Nullable String type) {
            ranges.add(new Range(start, end, handler, type == null));
        }

        @Override
        public void visitLabel(Label label) {
            places.put(label, steps.size());
        }

        @Override
        void instruction(int opcode, int slot, List<Label> targets) {
            boolean ofMonitor = opcode == Opcodes.MONITORENTER || opcode == Opcodes.MONITOREXIT;
            steps.add(new Step(opcode, ofMonitor ? slotOfTop() : slot, targets));
        }

        /** {@code aload n}, or {@code dup; astore n}. */
        private int slotOfTop() {
            int last = steps.size() - 1;
            Step before = last < 0 ? null : steps.get(last);
            if (before == null) {
                return -1;
            }
            boolean stored = before.opcode == Opcodes.ASTORE && last > 0 && steps.get(last - 1).opcode == Opcodes.DUP;
            return stored || before.opcode == Opcodes.ALOAD ? before.slot : -1;
        }

        @Override
        public void visitEnd() {
            reach(0, NONE);
            while (balanced && !open.isEmpty()) {
                follow(open.pop());
            }
            if (balanced) {
                onBalanced.run();
            }
        }

        private void reach(int place, int[] monitors) {
            int[] known = held.putIfAbsent(place, monitors);
            if (known == null) {
                open.push(place);
            } else {
                balanced &= Arrays.equals(known, monitors);
            }
        }

        private void follow(int place) {
            if (place >= steps.size()) {
                balanced = false;
                return;
            }
            Step step = steps.get(place);
            int[] monitors = held.getOrDefault(place, NONE);
            if (step.mayThrow()) {
                raise(place, monitors);
            }
            int[] after = after(step, monitors);
            for (Label target : step.targets) {
                reach(places.getOrDefault(target, steps.size()), after);
            }
            if (step.goesOn()) {
                reach(place + 1, after);
            }
        }

        private int[] after(Step step, int[] monitors) {
            int top = monitors.length - 1;
            switch (step.opcode) {
                case Opcodes.MONITORENTER -> {
                    balanced &= step.slot >= 0;
                    int[] more = Arrays.copyOf(monitors, monitors.length + 1);
                    more[top + 1] = step.slot;
                    return more;
                }
                case Opcodes.MONITOREXIT -> {
                    balanced &= top >= 0 && monitors[top] == step.slot;
                    return top < 0 ? monitors : Arrays.copyOf(monitors, top);
                }
                case Opcodes.JSR, Opcodes.RET -> balanced = false; // of old compilers: not worth following
                default -> {
                    boolean overwrites =
                            step.isStore() && Arrays.stream(monitors).anyMatch(slot -> slot == step.slot);
                    balanced &= !overwrites && !(step.isReturn() && top >= 0);
                }
            }
            return monitors;
        }

        private void raise(int place, int[] monitors) {
            for (Range range : ranges) {
                boolean covers = places.getOrDefault(range.start, Integer.MAX_VALUE) <= place
                        && places.getOrDefault(range.end, -1) > place;
                if (covers) {
                    reach(places.getOrDefault(range.handler, steps.size()), monitors);
                    if (range.catchesAll) {
                        return;
                    }
                }
            }
            balanced &= monitors.length == 0;
        }
    }
}
