package io.vtagent.instrument;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.AnnotationVisitor;
import net.bytebuddy.jar.asm.Attribute;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import net.bytebuddy.jar.asm.TypePath;
import org.jspecify.annotations.Nullable;

/**
 * The code of a class as text, without what wrapping adds: calls of the probe, and the block that
 * stands for a modifier. A position in the code is the number of the instruction there, counting
 * only the instructions that are left.
 */
final class CodeListing extends ClassVisitor {
    private final Map<String, List<String>> methods = new HashMap<>();
    private final String owner;

    private CodeListing(String owner) {
        super(Opcodes.ASM9);
        this.owner = owner;
    }

    /**
     * By the method's name and descriptor; {@code unsynchronized} are those that have lost the
     * modifier.
     */
    static Map<String, List<String>> of(byte[] classFile, Set<String> unsynchronized) {
        ClassReader reader = new ClassReader(classFile);
        CodeListing listing = new CodeListing(reader.getClassName());
        reader.accept(
                new ClassVisitor(Opcodes.ASM9) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String descriptor,
                            @Nullable String signature,
                            String @Nullable [] exceptions) {
                        boolean lost = unsynchronized.contains(name + descriptor);
                        int modifiers = lost ? access | Opcodes.ACC_SYNCHRONIZED : access;
                        return listing.new Code(name + descriptor, modifiers, lost);
                    }
                },
                0);
        return listing.methods;
    }

    /** An instruction or what else there is; labels are resolved when all is known. */
    private record Line(String text, List<Label> labels) {}

    private final class Code extends MethodVisitor {
        private final String id;
        private final boolean lost;
        private final List<Line> lines = new ArrayList<>();
        private final List<Line> tables = new ArrayList<>();
        private final Map<Label, Integer> places = new HashMap<>();
        private final int access;
        private int maxLocals;
        private int handlers;

        Code(String id, int access, boolean lost) {
            super(Opcodes.ASM9);
            this.id = id;
            this.access = access;
            this.lost = lost;
        }

        private void add(int opcode, Object operand, Label... labels) {
            lines.add(new Line(opcode + " " + operand, List.of(labels)));
        }

        private void addTable(String what, Label... labels) {
            tables.add(new Line(what, List.of(labels)));
        }

        @Override
        public void visitLabel(Label label) {
            places.put(label, lines.size());
        }

        @Override
        public void visitInsn(int opcode) {
            add(opcode, "");
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            add(opcode, operand);
        }

        @Override
        public void visitVarInsn(int opcode, int slot) {
            add(opcode, slot);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            add(opcode, type);
        }

        @Override
        public void visitFieldInsn(int opcode, String type, String name, String descriptor) {
            add(opcode, type + name + descriptor);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String type, String name, String descriptor, boolean ofInterface) {
            if (type.equals(ProbeCalls.PROBE)) {
                add(-1, name);
            } else {
                add(opcode, type + name + descriptor + ofInterface);
            }
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String descriptor, Handle bootstrap, Object... arguments) {
            add(Opcodes.INVOKEDYNAMIC, name + descriptor + bootstrap + Arrays.toString(arguments));
        }

        @Override
        public void visitJumpInsn(int opcode, Label label) {
            add(opcode, "to", label);
        }

        @Override
        public void visitLdcInsn(Object value) {
            add(Opcodes.LDC, value);
        }

        @Override
        public void visitIincInsn(int slot, int increment) {
            add(Opcodes.IINC, slot + " " + increment);
        }

        @Override
        public void visitTableSwitchInsn(int min, int max, Label otherwise, Label... labels) {
            add(Opcodes.TABLESWITCH, min + " " + max, with(otherwise, labels));
        }

        @Override
        public void visitLookupSwitchInsn(Label otherwise, int[] keys, Label[] labels) {
            add(Opcodes.LOOKUPSWITCH, Arrays.toString(keys), with(otherwise, labels));
        }

        private Label[] with(Label otherwise, Label[] labels) {
            Label[] all = Arrays.copyOf(labels, labels.length + 1);
            all[labels.length] = otherwise;
            return all;
        }

        @Override
        public void visitMultiANewArrayInsn(String descriptor, int dimensions) {
            add(Opcodes.MULTIANEWARRAY, descriptor + dimensions);
        }

        @Override
        public void visitFrame(
                int type,
                int locals,
                Object @Nullable [] local,
                int stacks,
                Object @Nullable [] stack) {
            Label here = new Label();
            places.put(here, lines.size());
            StringBuilder all = new StringBuilder("frame " + type + " " + locals + " " + stacks);
            List<Label> labels = new ArrayList<>(List.of(here));
            addValues(all, labels, type == Opcodes.F_CHOP ? null : local, locals);
            addValues(all, labels, stack, stacks);
            tables.add(new Line(all.toString(), labels));
        }

        private void addValues(
                StringBuilder text, List<Label> labels, Object @Nullable [] values, int count) {
            for (int i = 0; values != null && i < count; i++) {
                if (values[i] instanceof Label made) {
                    labels.add(made);
                } else {
                    text.append(' ').append(values[i]);
                }
            }
        }

        @Override
        public void visitTryCatchBlock(
                Label start, Label end, Label handler, @Nullable String type) {
            addTable("handler of " + type, start, end, handler);
        }

        @Override
        public AnnotationVisitor visitTryCatchAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            return annotation("caught " + handlers++ + " " + reference, path, descriptor, visible);
        }

        @Override
        public AnnotationVisitor visitInsnAnnotation(
                int reference, @Nullable TypePath path, String descriptor, boolean visible) {
            Label before = new Label();
            places.put(before, lines.size());
            return annotation("instruction " + reference, path, descriptor, visible, before);
        }

        @Override
        public AnnotationVisitor visitLocalVariableAnnotation(
                int reference,
                @Nullable TypePath path,
                Label[] start,
                Label[] end,
                int[] index,
                String descriptor,
                boolean visible) {
            List<Label> labels = new ArrayList<>(List.of(start));
            labels.addAll(List.of(end));
            return annotation(
                    "variable " + reference + Arrays.toString(index),
                    path,
                    descriptor,
                    visible,
                    labels.toArray(new Label[0]));
        }

        private AnnotationVisitor annotation(
                String what,
                @Nullable TypePath path,
                String descriptor,
                boolean visible,
                Label... labels) {
            return new AnnotationVisitor(Opcodes.ASM9) {
                private final StringBuilder values = new StringBuilder();

                @Override
                public void visit(@Nullable String name, Object value) {
                    values.append(name).append('=').append(value).append(' ');
                }

                @Override
                public void visitEnum(@Nullable String name, String type, String value) {
                    values.append(name).append('=').append(type).append(value).append(' ');
                }

                @Override
                public AnnotationVisitor visitAnnotation(@Nullable String name, String type) {
                    values.append(name).append('=').append(type).append(' ');
                    return this;
                }

                @Override
                public AnnotationVisitor visitArray(@Nullable String name) {
                    values.append(name).append("[] ");
                    return this;
                }

                @Override
                public void visitEnd() {
                    addTable(what + path + descriptor + visible, labels);
                    tables.set(
                            tables.size() - 1,
                            new Line(what + path + descriptor + visible + values, List.of(labels)));
                }
            };
        }

        @Override
        public void visitLocalVariable(
                String name,
                String descriptor,
                @Nullable String signature,
                Label start,
                Label end,
                int index) {
            addTable("variable " + name + descriptor + signature + index, start, end);
        }

        @Override
        public void visitLineNumber(int line, Label start) {
            addTable("line " + line, start);
        }

        @Override
        public void visitAttribute(Attribute attribute) {
            addTable("attribute " + attribute.type);
        }

        @Override
        public void visitMaxs(int maxStack, int locals) {
            maxLocals = locals;
        }

        @Override
        public void visitEnd() {
            boolean[] ours = new boolean[lines.size() + 1];
            for (int i = 0; i < lines.size(); i++) {
                String text = lines.get(i).text;
                if (text.equals("-1 entering")) {
                    ours[i - 1] = true;
                    ours[i] = true;
                    ours[i + 1] = true;
                } else if (text.equals("-1 entered")) {
                    ours[i] = true;
                }
            }
            Label end = new Label();
            places.put(end, lines.size());
            if (lost) {
                markBlock(ours);
            }
            print(ours);
        }

        /**
         * The block that stands for the modifier: load, enter; load, exit before each return; load,
         * exit, throw.
         */
        private void markBlock(boolean[] ours) {
            String load =
                    (access & Opcodes.ACC_STATIC) == 0
                            ? Opcodes.ALOAD + " 0"
                            : Opcodes.LDC + " " + Type.getObjectType(owner);
            expect(0, load);
            ours[0] = true;
            int enter = 1;
            while (ours[enter]) {
                enter++;
            }
            expect(enter, Opcodes.MONITORENTER + " ");
            ours[enter] = true;
            for (int i = enter + 1; i < lines.size(); i++) {
                int opcode =
                        Integer.parseInt(
                                lines.get(i).text.substring(0, lines.get(i).text.indexOf(' ')));
                if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                    markRelease(ours, i - 2, load);
                }
            }
            int handler = lines.size() - 3;
            markRelease(ours, handler, load);
            expect(handler + 2, Opcodes.ATHROW + " ");
            ours[handler + 2] = true;
            tables.removeIf(
                    line ->
                            isAt(line, "handler of null", 2, handler)
                                    || (line.text.startsWith("frame")
                                            && isAt(line, "frame", 0, handler)));
        }

        private boolean isAt(Line line, String what, int label, int place) {
            return line.text.startsWith(what)
                    && Integer.valueOf(place).equals(places.get(line.labels.get(label)));
        }

        private void markRelease(boolean[] ours, int at, String load) {
            expect(at, load);
            expect(at + 1, Opcodes.MONITOREXIT + " ");
            ours[at] = true;
            ours[at + 1] = true;
        }

        private void expect(int at, String text) {
            if (!lines.get(at).text.equals(text)) {
                throw new AssertionError(
                        id + ": " + lines.get(at) + " where there should be " + text);
            }
        }

        private void print(boolean[] ours) {
            int[] numbers = new int[lines.size() + 1];
            int number = 0;
            List<String> printed = new ArrayList<>();
            for (int i = 0; i <= lines.size(); i++) {
                numbers[i] = number;
                number += ours[i] ? 0 : 1;
            }
            printed.add("modifiers " + access + ", local variables " + maxLocals);
            for (int i = 0; i < lines.size(); i++) {
                if (!ours[i]) {
                    printed.add(numbers[i] + " " + resolved(lines.get(i), numbers));
                }
            }
            List<String> rest = new ArrayList<>();
            boolean firstLine = lost;
            for (Line line : tables) {
                // the line that the block begins with is that of the first instruction
                if (firstLine
                        && line.text.startsWith("line")
                        && places.getOrDefault(line.labels.get(0), -1) == 0) {
                    firstLine = false;
                } else {
                    rest.add(resolved(line, numbers));
                }
            }
            rest.sort(null);
            printed.addAll(rest);
            methods.put(id, printed);
        }

        private String resolved(Line line, int[] numbers) {
            List<Integer> at = new ArrayList<>();
            for (Label label : line.labels) {
                at.add(numbers[places.getOrDefault(label, -1)]);
            }
            return line.text + " " + at;
        }
    }
}
