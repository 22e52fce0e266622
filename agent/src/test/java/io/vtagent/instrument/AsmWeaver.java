package io.vtagent.instrument;

import io.vtagent.instrument.WrappedClasses.Change;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.List;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Label;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the monitors of a class by ASM, for the comparison with {@link ClassWrapper}. It relies on
 * ASM for everything that is encoded in a class file: lengths, offsets, jumps, frames and tables.
 * {@link MonitorScan} decides for both which entries are wrapped.
 */
final class AsmWeaver {
    private static final int UID_MODIFIERS =
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;

    private static final int MAJOR_VERSION = 6;

    /** The longest code in bytes that HotSpot compiles (HugeMethodLimit). */
    private static final int MAX_COMPILED = 8_000;

    /**
     * How a method changes.
     *
     * @param unsynchronized whether the method loses that modifier
     */
    private record Plan(MonitorScan scan, boolean unsynchronized, boolean isStatic) {

        /** Returns null if the method stays as it is. */
        static @Nullable Plan of(MethodCode code, int method, Change change) {
            ParsedClass parsed = code.parsed;
            int at = parsed.methodAt(method);
            String id = parsed.utf8(parsed.u2(at + 2)) + parsed.utf8(parsed.u2(at + 4));
            MonitorScan scan = MonitorScan.of(code, method);
            boolean unsynchronized = change.unsynchronized().contains(id);
            if (!unsynchronized && scan.entries.isEmpty()) {
                return null;
            }
            boolean isStatic = (parsed.u2(at) & Opcodes.ACC_STATIC) != 0;
            return new Plan(scan, unsynchronized, isStatic);
        }
    }

    /**
     * Returns the wrapped class file.
     *
     * @param change the methods that lose their modifier, and the field to add
     */
    static byte[] weave(byte[] classFile, Change change) {
        ParsedClass parsed = new ParsedClass(classFile);
        Plan[] plans = new Plan[parsed.methodCount()];
        BitSet wanted = MonitorMethodFinder.methodsWithMonitors(parsed);
        for (int method = wanted.nextSetBit(0); method >= 0; ) {
            int code = parsed.codeOf(method);
            plans[method] = code < 0 ? null : Plan.of(new MethodCode(parsed, code), method, change);
            method = wanted.nextSetBit(method + 1);
        }
        byte[] woven = weave(parsed, plans, change);
        return forgetTooLong(parsed, new ParsedClass(woven), plans)
                ? weave(parsed, plans, change)
                : woven;
    }

    /** Leaves methods alone that HotSpot would not compile any more; returns whether there are. */
    private static boolean forgetTooLong(
            ParsedClass parsed, ParsedClass woven, @Nullable Plan[] plans) {
        boolean forgotten = false;
        for (int method = 0; method < plans.length; method++) {
            if (plans[method] != null
                    && new MethodCode(parsed, parsed.codeOf(method)).length <= MAX_COMPILED
                    && new MethodCode(woven, woven.codeOf(method)).length > MAX_COMPILED) {
                plans[method] = null;
                forgotten = true;
            }
        }
        return forgotten;
    }

    private static byte[] weave(ParsedClass parsed, @Nullable Plan[] plans, Change change) {
        Reader reader = new Reader(parsed.file);
        ClassWriter writer = new ClassWriter(reader, 0);
        Changes changes = new Changes(writer, reader, plans, change.serialVersionUid());
        // ASM writes no compressed frames into older classes, which need none
        boolean hasFrames = parsed.version() >= Opcodes.V1_6;
        reader.accept(changes, hasFrames ? 0 : ClassReader.SKIP_FRAMES);
        return writer.toByteArray();
    }

    /** Reports where the instructions are in the class file. */
    private static final class Reader extends ClassReader {
        private int offset;
        private @Nullable BitSet guards;

        Reader(byte[] file) {
            super(file);
        }

        @Override
        protected void readBytecodeInstructionOffset(int at) {
            offset = at;
        }

        /** A label at a guard knows the label at which the ranges of handlers begin and end. */
        @Override
        protected Label readLabel(int at, Label[] labels) {
            Label label = super.readLabel(at, labels);
            if (guards != null && label.info == null && guards.get(at)) {
                label.info = new Label();
            }
            return label;
        }
    }

    private static final class Changes extends ClassVisitor {
        private final Reader reader;
        private final @Nullable Plan[] plans;
        private final @Nullable Long serialVersionUid;
        private int methods;

        Changes(
                ClassWriter writer,
                Reader reader,
                @Nullable Plan[] plans,
                @Nullable Long serialVersionUid) {
            super(Opcodes.ASM9, writer);
            this.reader = reader;
            this.plans = plans;
            this.serialVersionUid = serialVersionUid;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            Plan plan = plans[methods++];
            int modifiers =
                    plan != null && plan.unsynchronized
                            ? access & ~Opcodes.ACC_SYNCHRONIZED
                            : access;
            MethodVisitor code =
                    super.visitMethod(modifiers, name, descriptor, signature, exceptions);
            reader.guards = plan == null ? null : plan.scan.guards;
            return plan == null ? code : new Code(code, reader, plan);
        }

        @Override
        public void visitEnd() {
            if (serialVersionUid != null) {
                super.visitField(
                        UID_MODIFIERS, SerialVersionUid.FIELD, "J", null, serialVersionUid);
            }
            super.visitEnd();
        }
    }

    private static final class Code extends MethodVisitor {
        private final Reader reader;
        private final Plan plan;
        private final String className;
        private final Label start = new Label();
        private final List<Label> rangeStarts = new ArrayList<>();
        private final List<Label> rangeEnds = new ArrayList<>();

        /** The line of the first instruction that has one; -1 if none was visited. */
        private int firstLine = -1;

        Code(MethodVisitor code, Reader reader, Plan plan) {
            super(Opcodes.ASM9, code);
            this.reader = reader;
            this.plan = plan;
            className = reader.getClassName();
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (plan.unsynchronized) {
                super.visitLabel(start);
                load();
                entering();
                super.visitInsn(Opcodes.MONITORENTER);
                rangeStarts.add(here());
                entered();
            }
        }

        @Override
        public void visitTryCatchBlock(Label from, Label to, Label handler, @Nullable String type) {
            super.visitTryCatchBlock(range(from), range(to), handler, type);
        }

        private static Label range(Label label) {
            return label.info instanceof Label range ? range : label;
        }

        /** A jump to a guard leads behind its call, which is in the range that begins there. */
        @Override
        public void visitLabel(Label label) {
            if (label.info instanceof Label range) {
                super.visitLabel(range);
                entered();
            }
            super.visitLabel(label);
        }

        @Override
        public void visitLineNumber(int line, Label at) {
            if (firstLine < 0) {
                firstLine = line;
            }
            super.visitLineNumber(line, at);
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode == Opcodes.MONITORENTER && plan.scan.entries.get(reader.offset)) {
                entering();
            }
            boolean releases =
                    plan.unsynchronized && opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN;
            if (releases) {
                release();
            }
            super.visitInsn(opcode);
            if (releases) {
                rangeStarts.add(here());
            }
        }

        @Override
        public void visitMaxs(int maxStack, int maxLocals) {
            int stack = !plan.scan.guards.isEmpty() ? maxStack + 1 : maxStack;
            if (plan.unsynchronized) {
                addHandler();
                stack = Math.max(stack + 1, 2);
            }
            super.visitMaxs(stack, maxLocals);
        }

        private void addHandler() {
            Label handler = here();
            rangeEnds.add(handler);
            rangeStarts.add(handler);
            if (reader.readUnsignedShort(MAJOR_VERSION) >= Opcodes.V1_6) {
                super.visitFrame(
                        Opcodes.F_FULL,
                        plan.isStatic ? 0 : 1,
                        new Object[] {className},
                        1,
                        new Object[] {ProbeCalls.THROWABLE});
            }
            release();
            super.visitInsn(Opcodes.ATHROW);
            for (int range = 0; range < rangeStarts.size(); range++) {
                Label from = rangeStarts.get(range);
                Label to = rangeEnds.get(range);
                if (from.getOffset() < to.getOffset()) {
                    super.visitTryCatchBlock(from, to, handler, null);
                }
            }
            if (firstLine > 0) {
                super.visitLineNumber(firstLine, start);
            }
        }

        private Label here() {
            Label label = new Label();
            super.visitLabel(label);
            return label;
        }

        private void load() {
            if (plan.isStatic) {
                super.visitLdcInsn(Type.getObjectType(className));
            } else {
                super.visitVarInsn(Opcodes.ALOAD, 0);
            }
        }

        private void entering() {
            super.visitInsn(Opcodes.DUP);
            ProbeCalls.call(mv, "entering", "(Ljava/lang/Object;)Ljava/lang/Object;");
            super.visitInsn(Opcodes.SWAP);
        }

        private void entered() {
            ProbeCalls.call(mv, "entered", "(Ljava/lang/Object;)V");
        }

        private void release() {
            load();
            rangeEnds.add(here());
            super.visitInsn(Opcodes.MONITOREXIT);
        }
    }
}
