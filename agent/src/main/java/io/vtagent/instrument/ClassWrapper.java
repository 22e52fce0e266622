package io.vtagent.instrument;

import io.vtagent.instrument.WrappedClasses.Change;
import java.util.BitSet;
import java.util.HashSet;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/** Wraps the monitors of one class file, one time. */
final class ClassWrapper {
    /** The first version whose {@code ldc} loads a class, and the first whose methods carry frames (JVMS 4.10.1). */
    private static final int JAVA_5 = 49;

    private static final int JAVA_6 = 50;
    private static final int MAJOR_VERSION_AT = 6;
    /** Bytes of code; HotSpot compiles no method that is longer (HugeMethodLimit). */
    private static final int LONGEST_COMPILED = 8_000;

    /** What it has become. */
    @SuppressWarnings("ArrayRecordComponent") // nobody compares it
    record Wrapped(byte[] classFile, Change change) {}

    private final byte[] classFile;
    private final ClassReader reader;
    private final MonitorScan scan;
    private final boolean hasFrames;
    /** Methods, by name and descriptor, that lose {@code synchronized}. */
    private final Set<String> unsynchronized = new HashSet<>();
    /** Methods into which no call of the probe goes. */
    private final Set<String> unprobed = new HashSet<>();

    private @Nullable Long serialVersionUid;

    private ClassWrapper(byte[] classFile, BitSet methods) {
        this.classFile = classFile;
        reader = new ClassReader(classFile);
        scan = MonitorScan.of(reader, methods);
        hasFrames = reader.readUnsignedShort(MAJOR_VERSION_AT) >= JAVA_6;
    }

    /**
     * Wraps a class that is being loaded.
     *
     * @return null if there is nothing to wrap
     */
    static @Nullable Wrapped atLoad(byte[] classFile) {
        BitSet methods = MonitorSniffer.methodsWithMonitors(classFile);
        return methods.isEmpty() ? null : new ClassWrapper(classFile, methods).wrapNew();
    }

    /**
     * Wraps a new version of a class that is loaded, of which the JVM takes only one with the same fields and modifiers.
     *
     * @param change what was done to the version that was loaded first
     * @return null if there is nothing to wrap
     */
    static byte @Nullable [] again(byte[] classFile, Change change) {
        BitSet methods = MonitorSniffer.methodsWithMonitors(classFile);
        if (methods.isEmpty() && change.serialVersionUid() == null) {
            return null;
        }
        try {
            return new ClassWrapper(classFile, methods).repeat(change, true);
        } catch (RuntimeException impossible) {
            if (change.equals(Change.NONE)) {
                throw impossible;
            }
            return new ClassWrapper(classFile, methods).repeat(change, false);
        }
    }

    private @Nullable Wrapped wrapNew() {
        Set<String> doubtful = new HashSet<>();
        for (MonitorScan.Method method : scan.methods()) {
            if (mayLoseModifier(method)) {
                boolean hasBlocks = method.monitorEnters > 0 || method.exitsMonitors;
                (hasBlocks ? doubtful : unsynchronized).add(method.id());
            }
        }
        if (!doubtful.isEmpty()) {
            unsynchronized.addAll(MonitorBalance.of(reader, doubtful));
        }
        if (!unsynchronized.isEmpty()) {
            keepSerialVersionUid();
        }
        while (isWorthwhile()) {
            byte[] wrapped = write();
            Set<String> grown = grown(wrapped);
            if (grown.isEmpty()) {
                return new Wrapped(wrapped, new Change(Set.copyOf(unsynchronized), serialVersionUid));
            }
            unsynchronized.removeAll(grown);
            unprobed.addAll(grown);
            serialVersionUid = unsynchronized.isEmpty() ? null : serialVersionUid;
        }
        return null;
    }

    private boolean mayLoseModifier(MonitorScan.Method method) {
        // the JVM ignores the modifier of an initializer, and refuses a class where it may not be
        boolean refused = method.name.startsWith("<")
                || method.is(Opcodes.ACC_ABSTRACT | Opcodes.ACC_NATIVE)
                || (reader.getAccess() & Opcodes.ACC_INTERFACE) != 0;
        return method.is(Opcodes.ACC_SYNCHRONIZED) && !refused && !method.full && canLoadMonitor(method);
    }

    private boolean canLoadMonitor(MonitorScan.Method method) {
        return method.is(Opcodes.ACC_STATIC) ? reader.readUnsignedShort(MAJOR_VERSION_AT) >= JAVA_5 : !method.losesThis;
    }

    private void keepSerialVersionUid() {
        SerialVersionUid uid = SerialVersionUid.of(reader);
        if (uid.isDeclared() || uid.isZero() || !Ancestry.mayBeSerializable(reader)) {
            return;
        }
        if (uid.isNameTaken()) {
            unsynchronized.clear(); // reflection could find either of two fields of that name
        } else {
            serialVersionUid = uid.compute();
        }
    }

    private boolean isWorthwhile() {
        if (!unsynchronized.isEmpty() || serialVersionUid != null) {
            return true;
        }
        for (MonitorScan.Method method : scan.methods()) {
            if (!method.guards.isEmpty() && !unprobed.contains(method.id())) {
                return true;
            }
        }
        return false;
    }

    private byte @Nullable [] repeat(Change change, boolean probed) {
        for (MonitorScan.Method method : scan.methods()) {
            boolean lost = method.is(Opcodes.ACC_SYNCHRONIZED)
                    && change.unsynchronized().contains(method.id());
            // where it cannot, the modifier stays, and the JVM refuses the new version
            if (lost && canLoadMonitor(method)) {
                unsynchronized.add(method.id());
            }
            if (!probed) {
                unprobed.add(method.id());
            }
        }
        if (!SerialVersionUid.of(reader).isNameTaken()) {
            serialVersionUid = change.serialVersionUid();
        }
        while (isWorthwhile()) {
            byte[] wrapped = write();
            if (!unprobed.addAll(grown(wrapped))) {
                return wrapped;
            }
        }
        return null;
    }

    /** The methods that HotSpot would have compiled, and would not any more. */
    private Set<String> grown(byte[] wrapped) {
        int[] before = MonitorSniffer.codeLengths(classFile);
        int[] after = MonitorSniffer.codeLengths(wrapped);
        Set<String> grown = new HashSet<>();
        for (MonitorScan.Method method : scan.methods()) {
            if (before[method.index] <= LONGEST_COMPILED && after[method.index] > LONGEST_COMPILED) {
                grown.add(method.id());
            }
        }
        return grown;
    }

    private byte[] write() {
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new Visitor(writer), 0);
        if (serialVersionUid != null) {
            int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
            writer.visitField(access, SerialVersionUid.FIELD, "J", null, serialVersionUid)
                    .visitEnd();
        }
        return writer.toByteArray();
    }

    private final class Visitor extends ClassVisitor {
        Visitor(ClassWriter writer) {
            super(Opcodes.ASM9, writer);
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MonitorScan.Method method = scan.method(name, descriptor);
            boolean wrapped = unsynchronized.contains(name + descriptor);
            boolean probed = !unprobed.contains(name + descriptor);
            int newAccess = wrapped ? access & ~Opcodes.ACC_SYNCHRONIZED : access;
            MethodVisitor code = super.visitMethod(newAccess, name, descriptor, signature, exceptions);
            if (method == null) {
                return code;
            }
            if (wrapped) {
                code = new MethodWrapper(code, reader.getClassName(), method, hasFrames, probed);
            }
            return method.guards.isEmpty() || !probed ? code : new BlockWrapper(code, method);
        }
    }
}
