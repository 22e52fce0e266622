package io.vtagent.instrument;

import io.vtagent.log.AgentLog;
import io.vtagent.vm.Platform;
import java.lang.instrument.ClassFileTransformer;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.security.ProtectionDomain;
import java.util.BitSet;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicLong;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import net.bytebuddy.jar.asm.Type;
import org.jspecify.annotations.Nullable;

/**
 * Wraps the entry of monitors in the classes of the application and its libraries, as they are loaded. A class that cannot be
 * wrapped is loaded as it was. Thread-safe.
 */
final class MonitorTransformer implements ClassFileTransformer {
    /** The first version whose {@code ldc} loads a class, and the first whose methods carry frames (JVMS 4.10.1). */
    private static final int JAVA_5 = 49;

    private static final int JAVA_6 = 50;
    private static final int MAJOR_VERSION_AT = 6;
    private static final String RECORD = "java/lang/Record";

    private final List<String> include;
    private final List<String> exclude;
    private final ClassTally classes;

    /**
     * @param include prefixes of class names, with slashes; none stands for all
     * @param exclude prefixes of class names, with slashes
     */
    MonitorTransformer(List<String> include, List<String> exclude, ClassTally classes) {
        this.include = include;
        this.exclude = exclude;
        this.classes = classes;
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (className == null || loader == null || !isWanted(loader, className)) {
            return null;
        }
        try {
            BitSet methods = MonitorSniffer.methodsWithMonitors(classFile);
            if (methods.isEmpty()) {
                return null;
            }
            byte[] wrapped = wrap(loader, redefined, new ClassReader(classFile), methods);
            if (wrapped != null && loader != MonitorTransformer.class.getClassLoader()) {
                classes.transformed.incrementAndGet();
                classes.wrapped.add(className.replace('/', '.'));
            }
            return wrapped;
        } catch (Throwable failure) {
            classes.failed.incrementAndGet();
            AgentLog.debug("class " + className.replace('/', '.') + " is left as it was", failure);
            return null;
        }
    }

    boolean isWanted(ClassLoader loader, String className) {
        if (Platform.ownsLoader(loader)) {
            return false;
        }
        if (loader == MonitorTransformer.class.getClassLoader()) {
            return className.startsWith(SelfTest.WRAPPED);
        }
        return (include.isEmpty() || startsWithAny(className, include)) && !startsWithAny(className, exclude);
    }

    private static boolean startsWithAny(String name, List<String> prefixes) {
        for (String prefix : prefixes) {
            if (name.startsWith(prefix)) {
                return true;
            }
        }
        return false;
    }

    private static byte @Nullable [] wrap(
            ClassLoader loader, @Nullable Class<?> redefined, ClassReader reader, BitSet methods) {
        Wrapping wrapping = new Wrapping(reader, redefined, methods);
        if (wrapping.isEmpty()) {
            return null;
        }
        ClassWriter writer = new ClassWriter(reader, 0);
        wrapping.write(writer, loader);
        return writer.toByteArray();
    }

    /** What is done to one class. */
    private static final class Wrapping extends ClassVisitor {
        private final ClassReader reader;
        private final MonitorScan scan;
        private final boolean hasFrames;
        private final Set<String> methodsToWrap = new HashSet<>();
        private boolean hasBlocks;

        Wrapping(ClassReader reader, @Nullable Class<?> redefined, BitSet methods) {
            super(Opcodes.ASM9);
            this.reader = reader;
            scan = MonitorScan.of(reader, methods);
            int version = reader.readUnsignedShort(MAJOR_VERSION_AT);
            hasFrames = version >= JAVA_6;
            Set<String> fixed = redefined == null ? Set.of() : synchronizedMethods(redefined);
            for (MonitorScan.Method method : scan.methods()) {
                String id = method.name + method.descriptor;
                boolean hasBody = (method.access & Opcodes.ACC_NATIVE) == 0;
                boolean loadable = method.isStatic() ? version >= JAVA_5 : !method.overwritesThis;
                if (method.isSynchronized() && hasBody && loadable && !fixed.contains(id)) {
                    methodsToWrap.add(id);
                }
                hasBlocks |= !method.guarded.isEmpty();
            }
        }

        /** A class that is loaded keeps the modifiers of its methods: those that are still synchronized stay so. */
        private static Set<String> synchronizedMethods(Class<?> loaded) {
            Set<String> found = new HashSet<>();
            for (Method method : loaded.getDeclaredMethods()) {
                if (Modifier.isSynchronized(method.getModifiers())) {
                    found.add(method.getName() + Type.getMethodDescriptor(method));
                }
            }
            return found;
        }

        boolean isEmpty() {
            return methodsToWrap.isEmpty() && !hasBlocks;
        }

        void write(ClassWriter writer, ClassLoader loader) {
            cv = writer;
            reader.accept(this, 0);
            // the serialVersionUID of enums and records is 0 whatever their methods are
            boolean fixed = (reader.getAccess() & Opcodes.ACC_ENUM) != 0 || RECORD.equals(reader.getSuperName());
            if (methodsToWrap.isEmpty() || fixed) {
                return;
            }
            SerialVersionUid uid = SerialVersionUid.of(reader);
            if (!uid.isDeclared() && Ancestry.mayBeSerializable(reader, loader)) {
                int access = Opcodes.ACC_PRIVATE | Opcodes.ACC_STATIC | Opcodes.ACC_FINAL | Opcodes.ACC_SYNTHETIC;
                writer.visitField(access, SerialVersionUid.FIELD, "J", null, uid.compute())
                        .visitEnd();
            }
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MonitorScan.Method method = scan.method(name, descriptor);
            boolean wrapped = methodsToWrap.contains(name + descriptor);
            int newAccess = wrapped ? access & ~Opcodes.ACC_SYNCHRONIZED : access;
            MethodVisitor code = super.visitMethod(newAccess, name, descriptor, signature, exceptions);
            if (method == null) {
                return code;
            }
            if (wrapped) {
                code = new MethodWrapper(code, reader.getClassName(), method, hasFrames);
            }
            return method.guarded.isEmpty() ? code : new BlockWrapper(code, method);
        }
    }

    /** Counts classes, for {@code vthread.agent.classes}. */
    static final class ClassTally {
        /** Their names. Loaders that have a class of the same name load it in the same way. */
        final Set<String> wrapped = ConcurrentHashMap.newKeySet();

        final AtomicLong transformed = new AtomicLong();
        final AtomicLong failed = new AtomicLong();
    }
}
