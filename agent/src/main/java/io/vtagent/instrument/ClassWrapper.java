package io.vtagent.instrument;

import io.vtagent.instrument.WrappedClasses.Change;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the monitors of one class file, once. Parts that do not change are copied as they are:
 * while code is cold, reading and writing whole classes for one or two methods takes longer than
 * everything else that an agent does while an application starts.
 */
final class ClassWrapper {
    /** The first version whose {@code ldc} loads a class (JVMS 4.4). */
    private static final int JAVA_5 = 49;

    private static final int UID_MODIFIERS =
            Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;

    /** The wrapped class file, and how it differs from the original. */
    @SuppressWarnings("ArrayRecordComponent") // never compared
    record Wrapped(byte[] classFile, Change change) {}

    /** A method that enters monitors. */
    private final class Method {
        private final int at;
        private final MethodCode code;
        private final MonitorScan scan;
        private boolean unsynchronized;
        private @Nullable ByteBuilder woven;

        private Method(int index, int codeAt) {
            at = parsed.methodAt(index);
            code = new MethodCode(parsed, codeAt);
            scan = MonitorScan.of(code, index);
        }

        private boolean is(int modifier) {
            return (parsed.u2(at) & modifier) != 0;
        }

        /** Returns the name followed by the descriptor. */
        private String id() {
            return parsed.utf8(parsed.u2(at + 2)) + parsed.utf8(parsed.u2(at + 4));
        }

        /** Returns whether a block in place of the modifier has the same effect. */
        private boolean mayLoseModifier() {
            // the JVM ignores the modifier of a class initializer, and refuses a class that has the
            // modifier where it is not allowed
            int name = parsed.u2(at + 2);
            boolean refused =
                    parsed.isUtf8(name, "<init>")
                            || parsed.isUtf8(name, "<clinit>")
                            || is(Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)
                            || (parsed.modifiers() & Opcodes.ACC_INTERFACE) != 0;
            if (!is(Opcodes.ACC_SYNCHRONIZED) || refused || scan.full || !canLoadMonitor()) {
                return false;
            }
            boolean hasBlocks = scan.entersMonitors || scan.exitsMonitors;
            return !hasBlocks || MonitorBalance.isBalanced(code);
        }

        private boolean canLoadMonitor() {
            return is(Opcodes.ACC_STATIC) ? parsed.version() >= JAVA_5 : !scan.losesThis;
        }

        private boolean weave(boolean probed) {
            if (unsynchronized || (probed && !scan.entries.isEmpty())) {
                woven =
                        CodeWeaver.weave(
                                code,
                                scan,
                                constants,
                                unsynchronized,
                                is(Opcodes.ACC_STATIC),
                                probed);
            }
            return woven != null;
        }
    }

    private final ParsedClass parsed;
    private final AddedConstants constants;
    private final List<Method> methods = new ArrayList<>();
    private @Nullable Long serialVersionUid;

    private ClassWrapper(ParsedClass parsed, BitSet wanted) {
        this.parsed = parsed;
        constants = new AddedConstants(parsed);
        for (int method = wanted.nextSetBit(0);
                method >= 0;
                method = wanted.nextSetBit(method + 1)) {
            int code = parsed.codeOf(method);
            if (code >= 0) {
                methods.add(new Method(method, code));
            }
        }
    }

    /**
     * Wraps a class that is being loaded.
     *
     * @return null if there is nothing to wrap
     */
    static @Nullable Wrapped atLoad(byte[] classFile) {
        ParsedClass parsed = new ParsedClass(classFile);
        BitSet wanted = MonitorMethodFinder.methodsWithMonitors(parsed);
        return wanted.isEmpty() ? null : new ClassWrapper(parsed, wanted).wrapNew();
    }

    /**
     * Wraps a new version of a loaded class. The JVM accepts only a version with the same fields
     * and modifiers.
     *
     * @param change the change to the version that was loaded first
     * @return null if there is nothing to wrap
     */
    static byte @Nullable [] again(byte[] classFile, Change change) {
        ParsedClass parsed = new ParsedClass(classFile);
        BitSet wanted = MonitorMethodFinder.methodsWithMonitors(parsed);
        if (wanted.isEmpty() && change.serialVersionUid() == null) {
            return null;
        }
        try {
            return new ClassWrapper(parsed, wanted).repeat(change, true);
        } catch (RuntimeException impossible) {
            if (change.equals(Change.NONE)) {
                throw impossible;
            }
            return new ClassWrapper(parsed, wanted).repeat(change, false);
        }
    }

    private @Nullable Wrapped wrapNew() {
        Set<String> unsynchronized = new HashSet<>();
        boolean anyMayLose = false;
        for (Method method : methods) {
            method.unsynchronized = method.mayLoseModifier();
            anyMayLose |= method.unsynchronized;
        }
        boolean allowed = anyMayLose && mayLoseModifiers();
        boolean changed = false;
        for (Method method : methods) {
            method.unsynchronized &= allowed;
            boolean woven = method.weave(true);
            method.unsynchronized &= woven;
            changed |= woven;
            if (method.unsynchronized) {
                unsynchronized.add(method.id());
            }
        }
        if (unsynchronized.isEmpty()) {
            serialVersionUid = null;
        }
        return changed ? new Wrapped(write(), new Change(unsynchronized, serialVersionUid)) : null;
    }

    /**
     * Returns whether the class can keep its identity in serialization without the modifiers.
     * Computes the {@link #serialVersionUid} if a field has to be added for that.
     */
    private boolean mayLoseModifiers() {
        if (!SerializableCheck.mayBeSerializable(parsed)) {
            return true;
        }
        SerialVersionUid uid = SerialVersionUid.of(parsed);
        if (uid.isDeclared() || uid.isZero()) {
            return true;
        }
        if (uid.isNameTaken()) {
            return false; // reflection could find either of two fields of that name
        }
        serialVersionUid = uid.compute();
        return true;
    }

    private byte @Nullable [] repeat(Change change, boolean probed) {
        if (change.serialVersionUid() != null && !SerialVersionUid.of(parsed).isNameTaken()) {
            serialVersionUid = change.serialVersionUid();
        }
        boolean changed = serialVersionUid != null;
        for (Method method : methods) {
            boolean lost =
                    method.is(Opcodes.ACC_SYNCHRONIZED)
                            && change.unsynchronized().contains(method.id());
            // if it cannot load the monitor, the modifier stays and the JVM refuses the new version
            method.unsynchronized = lost && method.canLoadMonitor();
            boolean woven = (probed && method.weave(true)) || method.weave(false);
            method.unsynchronized &= woven;
            changed |= woven;
        }
        return changed ? write() : null;
    }

    private byte[] write() {
        byte[] file = parsed.file;
        ByteBuilder added = new ByteBuilder(64);
        int fields = parsed.u2(parsed.fields);
        if (serialVersionUid != null) {
            writeUid(added, serialVersionUid);
        }
        ByteBuilder out = new ByteBuilder(file.length + 1024);
        out.copy(file, 0, 8)
                .u2(constants.count())
                .copy(file, 10, parsed.constantsEnd)
                .append(constants.bytes());
        out.copy(file, parsed.constantsEnd, parsed.fields);
        out.u2(added.size() == 0 ? fields : fields + 1)
                .copy(file, parsed.fields + 2, parsed.methods)
                .append(added);
        int copied = parsed.methods;
        for (Method method : methods) {
            ByteBuilder woven = method.woven;
            if (woven == null) {
                continue;
            }
            out.copy(file, copied, method.at);
            int modifiers = parsed.u2(method.at);
            out.u2(method.unsynchronized ? modifiers & ~Opcodes.ACC_SYNCHRONIZED : modifiers);
            // up to the length of the Code attribute
            out.copy(file, method.at + 2, method.code.at - 4).s4(woven.size()).append(woven);
            copied = method.code.at + parsed.s4(method.code.at - 4);
        }
        return out.copy(file, copied, file.length).toArray();
    }

    private void writeUid(ByteBuilder field, long value) {
        field.u2(UID_MODIFIERS)
                .u2(constants.utf8(SerialVersionUid.FIELD))
                .u2(constants.utf8("J"))
                .u2(1);
        field.u2(constants.utf8("ConstantValue")).s4(2).u2(constants.ofLong(value));
    }
}
