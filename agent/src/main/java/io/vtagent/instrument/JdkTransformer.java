package io.vtagent.instrument;

import io.vtagent.log.AgentLog;
import io.vtagent.site.Redefinitions;
import java.lang.instrument.ClassFileTransformer;
import java.lang.ref.WeakReference;
import java.security.ProtectionDomain;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Puts the hooks into the JDK's classes. It stays registered, so that a class keeps its hooks when
 * another agent transforms it again. It also records the loaders of Micrometer, because a second
 * transformer would be called for every class, too. Thread-safe.
 */
final class JdkTransformer implements ClassFileTransformer {
    /**
     * The class to whose {@code globalRegistry} an application adds its registries. The name is
     * joined from parts; otherwise our build would replace it by the name of the agent's own copy.
     */
    static final String MICROMETER =
            String.join("/", "io", "micrometer", "core", "instrument", "Metrics");

    private final Map<String, List<JdkHook>> hooksByOwner = new HashMap<>();
    private final Set<JdkHook> placed = new HashSet<>();
    private final List<WeakReference<ClassLoader>> micrometerLoaders = new ArrayList<>();

    JdkTransformer(List<JdkHook> hooks) {
        for (JdkHook hook : hooks) {
            List<JdkHook> ofOwner = hooksByOwner.get(hook.owner());
            if (ofOwner == null) {
                ofOwner = new ArrayList<>();
                hooksByOwner.put(hook.owner(), ofOwner);
            }
            ofOwner.add(hook);
        }
    }

    Set<String> owners() {
        return hooksByOwner.keySet();
    }

    /** Loads and returns the classes that have hooks. */
    List<Class<?>> ownersLoaded() {
        List<Class<?>> loaded = new ArrayList<>();
        for (String owner : owners()) {
            try {
                loaded.add(Class.forName(owner.replace('/', '.'), false, null));
            } catch (ClassNotFoundException gone) {
                AgentLog.debug("this JDK has no class " + owner);
            }
        }
        return loaded;
    }

    synchronized boolean isPlaced(JdkHook hook) {
        return placed.contains(hook);
    }

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (redefined != null && loader != null && !isEvent(redefined)) {
            Redefinitions.begin();
        }
        // for a class without hooks nothing may be loaded here: it could be the very class that is
        // being loaded
        if (loader != null && redefined == null && MICROMETER.equals(className)) {
            noteMicrometer(loader);
        }
        List<JdkHook> hooks =
                loader == null && className != null ? hooksByOwner.get(className) : null;
        if (hooks == null) {
            return null;
        }
        try {
            return weave(hooks, classFile);
        } catch (Throwable failure) {
            AgentLog.debug("cannot transform " + className, failure);
            return null;
        }
    }

    /** Returns whether JFR redefines the class when a recording starts, as some of the JDK's. */
    private static boolean isEvent(Class<?> redefined) {
        for (Class<?> type = redefined; type != null; type = type.getSuperclass()) {
            if (type.getName().equals("jdk.jfr.Event")) {
                return true;
            }
        }
        return false;
    }

    private void noteMicrometer(ClassLoader loader) {
        synchronized (micrometerLoaders) {
            for (Iterator<WeakReference<ClassLoader>> noted = micrometerLoaders.iterator();
                    noted.hasNext(); ) {
                if (noted.next().refersTo(null)) { // none is taken if the agent does not fill the
                    // application's registry
                    noted.remove();
                }
            }
            micrometerLoaders.add(new WeakReference<>(loader));
        }
    }

    /** Returns the loaders that have begun to load Micrometer since the previous call. */
    List<WeakReference<ClassLoader>> takeMicrometerLoaders() {
        synchronized (micrometerLoaders) {
            if (micrometerLoaders.isEmpty()) {
                return List.of();
            }
            List<WeakReference<ClassLoader>> taken = List.copyOf(micrometerLoaders);
            micrometerLoaders.clear();
            return taken;
        }
    }

    private synchronized byte[] weave(List<JdkHook> hooks, byte[] classFile) {
        ClassReader reader = new ClassReader(classFile);
        LocalsScan locals = new LocalsScan(hooks);
        reader.accept(locals, ClassReader.SKIP_DEBUG | ClassReader.SKIP_FRAMES);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(new HookVisitor(writer, hooks, locals), ClassReader.EXPAND_FRAMES);
        return writer.toByteArray();
    }

    private static @Nullable JdkHook find(List<JdkHook> hooks, String name, String descriptor) {
        for (JdkHook hook : hooks) {
            if (hook.matches(name, descriptor)) {
                return hook;
            }
        }
        return null;
    }

    /**
     * Finds the number of local variables of the methods to be hooked. A weave may need one more.
     */
    private static final class LocalsScan extends ClassVisitor {
        private final List<JdkHook> hooks;
        private final Map<JdkHook, Integer> maxLocals = new HashMap<>();

        LocalsScan(List<JdkHook> hooks) {
            super(Opcodes.ASM9);
            this.hooks = hooks;
        }

        int of(JdkHook hook) {
            return maxLocals.getOrDefault(hook, 0);
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            JdkHook hook = find(hooks, name, descriptor);
            return hook == null
                    ? null
                    : new MethodVisitor(Opcodes.ASM9) {
                        @Override
                        public void visitMaxs(int maxStack, int locals) {
                            maxLocals.put(hook, locals);
                        }
                    };
        }
    }

    private final class HookVisitor extends ClassVisitor {
        private final List<JdkHook> hooks;
        private final LocalsScan locals;

        HookVisitor(ClassVisitor next, List<JdkHook> hooks, LocalsScan locals) {
            super(Opcodes.ASM9, next);
            this.hooks = hooks;
            this.locals = locals;
        }

        @Override
        public MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
            JdkHook hook = find(hooks, name, descriptor);
            if (hook == null) {
                return code;
            }
            placed.add(hook);
            return hook.weave().into(code, access, descriptor, locals.of(hook));
        }
    }
}
