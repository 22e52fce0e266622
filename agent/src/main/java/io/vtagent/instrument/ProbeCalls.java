package io.vtagent.instrument;

import net.bytebuddy.jar.asm.MethodVisitor;
import net.bytebuddy.jar.asm.Opcodes;

/** Emits calls of the probe. */
final class ProbeCalls {
    /** The build moves the probe to {@code java/lang}, and changes this string with it. */
    static final String PROBE = "io/vtagent/probe/VtAgentProbe";

    static final String THROWABLE = "java/lang/Throwable";

    private ProbeCalls() {}

    static void call(MethodVisitor code, String method, String descriptor) {
        code.visitMethodInsn(Opcodes.INVOKESTATIC, PROBE, method, descriptor, false);
    }
}
