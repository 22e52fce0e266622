package io.vtagent.memory;

import java.io.IOException;
import java.io.InputStream;
import java.net.URL;
import java.util.Objects;
import java.util.Set;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.Handle;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/**
 * Runs code of the agent's in which the memory ends at one point after the other: at whatever
 * allocates, which is each new object, array or lambda, and each call of {@code java.util} that may
 * need memory. The agent's classes are loaded anew for that, with a call before each such point.
 */
public final class FailingAllocations {
    private static final Set<String> NEED_NO_MEMORY =
            Set.of(
                    "size",
                    "isEmpty",
                    "get",
                    "contains",
                    "containsKey",
                    "remove",
                    "removeLast",
                    "removeFirst",
                    "getLast",
                    "getFirst",
                    "clear",
                    "hasNext",
                    "next",
                    "lazySet",
                    "getPlain",
                    "getAndSet",
                    "poll",
                    "peek",
                    "length");

    /**
     * So many points in a row that are not reached: where it depends on the time, one run has fewer
     * of them than another.
     */
    private static final int MISSED_AT_THE_END = 5;

    private static int left = Integer.MAX_VALUE;

    private FailingAllocations() {}

    /**
     * One case, which is made anew for each point. {@link #step} is the part that has to fail; the
     * rest checks its result.
     */
    public interface Scenario {
        /** In which the memory ends, and which is then done again with enough of it. */
        void step() throws Exception;

        /** Returns what is wrong after that, empty if nothing is. */
        String wrong() throws Exception;
    }

    /** Called before each allocation. */
    public static void allocates() {
        if (left != Integer.MAX_VALUE && --left == 0) {
            left = Integer.MAX_VALUE;
            throw new OutOfMemoryError("made up");
        }
    }

    /**
     * Runs {@code scenario} once for each point, and once without a failure.
     *
     * @param scenario has a constructor without parameters
     * @return how many points there were
     * @throws AssertionError that names the point, and what is wrong after it
     */
    public static int everywhereIn(Class<? extends Scenario> scenario) throws Exception {
        ClassLoader loader = new Instrumenting(scenario.getClassLoader());
        Class<?> reloaded = loader.loadClass(scenario.getName());
        var made = reloaded.getDeclaredConstructor();
        made.setAccessible(true);
        run(
                (Scenario) made.newInstance(),
                Integer.MAX_VALUE); // so that what is linked or cached once is
        int points = 0;
        int missed = 0;
        while (missed < MISSED_AT_THE_END) {
            boolean reached = run((Scenario) made.newInstance(), points + missed + 1);
            points += reached ? missed + 1 : 0;
            missed = reached ? 0 : missed + 1;
        }
        return points;
    }

    private static boolean run(Scenario scenario, int point) throws Exception {
        Throwable failure = null;
        left = point;
        try {
            scenario.step();
        } catch (Throwable thrown) {
            failure = thrown;
        }
        boolean reached = left == Integer.MAX_VALUE && point != Integer.MAX_VALUE;
        left = Integer.MAX_VALUE;
        scenario.step();
        String wrong = scenario.wrong();
        if (!wrong.isEmpty()) {
            throw new AssertionError(
                    "after a failure at the " + point + "th allocation: " + wrong, failure);
        }
        return reached;
    }

    private static final class Instrumenting extends ClassLoader {
        Instrumenting(ClassLoader parent) {
            super(parent);
        }

        @Override
        protected Class<?> loadClass(String name, boolean resolve) throws ClassNotFoundException {
            boolean ofAgent =
                    name.startsWith("io.vtagent.")
                            && !name.startsWith(FailingAllocations.class.getName());
            if (!ofAgent) {
                return super.loadClass(name, resolve);
            }
            synchronized (getClassLoadingLock(name)) {
                Class<?> loaded = findLoadedClass(name);
                return loaded == null ? define(name) : loaded;
            }
        }

        private Class<?> define(String name) throws ClassNotFoundException {
            URL file = Objects.requireNonNull(getResource(name.replace('.', '/') + ".class"), name);
            try (InputStream in = file.openStream()) {
                byte[] bytes = in.readAllBytes();
                byte[] changed = isOfTest(file) ? bytes : instrumented(bytes);
                return defineClass(name, changed, 0, changed.length);
            } catch (IOException unreadable) {
                throw new ClassNotFoundException(name, unreadable);
            }
        }

        private static boolean isOfTest(URL file) {
            return file.getPath().contains("/test-classes/");
        }
    }

    private static byte[] instrumented(byte[] bytes) {
        ClassReader reader = new ClassReader(bytes);
        ClassWriter writer = new ClassWriter(reader, 0);
        reader.accept(
                new ClassVisitor(Opcodes.ASM9, writer) {
                    @Override
                    public MethodVisitor visitMethod(
                            int access,
                            String name,
                            String type,
                            String signature,
                            String[] exceptions) {
                        MethodVisitor method =
                                super.visitMethod(access, name, type, signature, exceptions);
                        return name.equals("<clinit>") ? method : new Calls(method);
                    }
                },
                0);
        return writer.toByteArray();
    }

    private static final class Calls extends MethodVisitor {
        Calls(MethodVisitor method) {
            super(Opcodes.ASM9, method);
        }

        private void call() {
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    FailingAllocations.class.getName().replace('.', '/'),
                    "allocates",
                    "()V",
                    false);
        }

        @Override
        public void visitTypeInsn(int opcode, String type) {
            if (opcode == Opcodes.ANEWARRAY) {
                call();
            }
            super.visitTypeInsn(opcode, type);
            if (opcode == Opcodes.NEW) { // which the frames name by its place
                call();
            }
        }

        @Override
        public void visitIntInsn(int opcode, int operand) {
            if (opcode == Opcodes.NEWARRAY) {
                call();
            }
            super.visitIntInsn(opcode, operand);
        }

        @Override
        public void visitMultiANewArrayInsn(String type, int dimensions) {
            call();
            super.visitMultiANewArrayInsn(type, dimensions);
        }

        @Override
        public void visitInvokeDynamicInsn(
                String name, String type, Handle bootstrap, Object... arguments) {
            call();
            super.visitInvokeDynamicInsn(name, type, bootstrap, arguments);
        }

        @Override
        public void visitMethodInsn(
                int opcode, String owner, String name, String type, boolean ofInterface) {
            boolean ofCollection =
                    owner.startsWith("java/util/")
                            && !owner.startsWith("java/util/concurrent/atomic/")
                            && !name.startsWith("<");
            if (ofCollection && !NEED_NO_MEMORY.contains(name)) {
                call();
            }
            super.visitMethodInsn(opcode, owner, name, type, ofInterface);
        }
    }
}
