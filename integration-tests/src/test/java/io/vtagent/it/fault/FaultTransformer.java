package io.vtagent.it.fault;

import java.lang.instrument.ClassFileTransformer;
import java.security.ProtectionDomain;
import net.bytebuddy.jar.asm.ClassReader;
import net.bytebuddy.jar.asm.ClassVisitor;
import net.bytebuddy.jar.asm.ClassWriter;
import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;
import org.jspecify.annotations.Nullable;

/**
 * Makes every method of the agent report to {@link Faults} when it begins, as the point {@code
 * Class.method}, and when it returns, as {@code Class.method:end}. The agent's class loaders do not
 * see the classes of the tests, so it goes through a system property.
 */
final class FaultTransformer implements ClassFileTransformer {
    private static final String AGENT = "io/vtagent/";
    private static final String SHADED = "io/vtagent/shaded/";
    private static final String TESTS = "io/vtagent/it/";
    private static final String PROBE = "java/lang/VtAgentProbe";

    @Override
    public byte @Nullable [] transform(
            @Nullable ClassLoader loader,
            @Nullable String className,
            @Nullable Class<?> redefined,
            @Nullable ProtectionDomain domain,
            byte[] classFile) {
        if (className == null || redefined != null || !isAgents(className)) {
            return null;
        }
        try {
            ClassReader reader = new ClassReader(classFile);
            ClassWriter writer = new ClassWriter(reader, ClassWriter.COMPUTE_MAXS);
            reader.accept(new Points(writer, simpleName(className)), 0);
            return writer.toByteArray();
        } catch (RuntimeException unreadable) {
            unreadable.printStackTrace();
            return null;
        }
    }

    private static boolean isAgents(String className) {
        return className.equals(PROBE)
                || (className.startsWith(AGENT)
                        && !className.startsWith(SHADED)
                        && !className.startsWith(TESTS));
    }

    private static String simpleName(String className) {
        return className.substring(className.lastIndexOf('/') + 1);
    }

    private static final class Points extends ClassVisitor {
        private final String owner;

        Points(ClassVisitor next, String owner) {
            super(Opcodes.ASM9, next);
            this.owner = owner;
        }

        @Override
        public @Nullable MethodVisitor visitMethod(
                int access,
                String name,
                String descriptor,
                @Nullable String signature,
                String @Nullable [] exceptions) {
            MethodVisitor code = super.visitMethod(access, name, descriptor, signature, exceptions);
            return name.equals("<clinit>")
                    ? code
                    : new Point(code, owner + "." + name, name.equals("<init>"));
        }
    }

    private static final class Point extends MethodVisitor {
        private final String name;
        private final boolean endOnly;

        /**
         * @param endOnly at the begin of a constructor there is no object yet that may be left
         */
        Point(MethodVisitor next, String name, boolean endOnly) {
            super(Opcodes.ASM9, next);
            this.name = name;
            this.endOnly = endOnly;
        }

        @Override
        public void visitCode() {
            super.visitCode();
            if (!endOnly) {
                report(name);
            }
        }

        @Override
        public void visitInsn(int opcode) {
            if (opcode >= Opcodes.IRETURN && opcode <= Opcodes.RETURN) {
                report(name + ":end");
            }
            super.visitInsn(opcode);
        }

        private void report(String point) {
            super.visitMethodInsn(
                    Opcodes.INVOKESTATIC,
                    "java/lang/System",
                    "getProperties",
                    "()Ljava/util/Properties;",
                    false);
            super.visitLdcInsn(Faults.PROPERTY);
            super.visitMethodInsn(
                    Opcodes.INVOKEVIRTUAL,
                    "java/util/Properties",
                    "get",
                    "(Ljava/lang/Object;)Ljava/lang/Object;",
                    false);
            super.visitTypeInsn(Opcodes.CHECKCAST, "java/util/function/Consumer");
            super.visitLdcInsn(point);
            super.visitMethodInsn(
                    Opcodes.INVOKEINTERFACE,
                    "java/util/function/Consumer",
                    "accept",
                    "(Ljava/lang/Object;)V",
                    true);
        }
    }
}
