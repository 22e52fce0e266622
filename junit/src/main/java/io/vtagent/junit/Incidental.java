package io.vtagent.junit;

import java.util.List;

/**
 * Recognizes pins that are not the test's fault: code runs for the first time, the machine is busy,
 * or the JDK reads files. The rules come from pins that were observed in harmless tests in new JVMs
 * (lab/testing.md).
 */
final class Incidental {
    static final String NOT = "";
    static final String START = "a class is loaded, linked or initialized";
    static final String UNKNOWN = "sampled, and its stack is not known";
    static final String JDK = "an operation or a monitor of the JDK's own";

    private static final String INITIALIZER = ".<clinit>(";
    private static final List<String> STARTING =
            List.of(
                    "java.lang.ClassLoader.",
                    "java.lang.Class.forName",
                    "java.lang.invoke.MethodHandleNatives.",
                    "java.util.ResourceBundle",
                    "java.util.ServiceLoader",
                    "jdk.internal.loader.",
                    "jdk.internal.reflect.MethodHandleAccessorFactory.",
                    "java.net.URLClassLoader.");
    private static final List<String> OF_JDK =
            List.of("java.", "javax.", "jdk.", "sun.", "com.sun.");

    private Incidental() {}

    /**
     * Returns why a pin is incidental; {@link #NOT} if it is not.
     *
     * @param monitorOfCode whether the monitor that a pin of kind {@code ENTER} waits for may be
     *     one of Java code
     */
    static String why(
            PinKind kind,
            boolean compensated,
            String holder,
            List<String> stack,
            boolean monitorOfCode) {
        if (kind == PinKind.CLASS_INIT || kind == PinKind.JVM) {
            return START;
        }
        if (stack.stream().anyMatch(Incidental::isStarting)) {
            return START;
        }
        if (kind == PinKind.ENTER && !stack.isEmpty() && !monitorOfCode) {
            return START;
        }
        return switch (kind) {
            case IO -> compensated ? JDK : NOT;
            case NATIVE, ENTER ->
                    stack.isEmpty()
                            ? UNKNOWN
                            : isOfJdk(kind == PinKind.ENTER ? holder : method(stack.get(0)))
                                    ? JDK
                                    : NOT;
            default -> NOT;
        };
    }

    private static boolean isStarting(String frame) {
        String method = method(frame);
        return frame.contains(INITIALIZER) || STARTING.stream().anyMatch(method::startsWith);
    }

    private static boolean isOfJdk(String method) {
        return OF_JDK.stream().anyMatch(method::startsWith);
    }

    /** Returns {@code class.method} of {@code loader/module@version/class.method(file:line)}. */
    static String method(String frame) {
        int parenthesis = frame.indexOf('(');
        int end = parenthesis < 0 ? frame.length() : parenthesis;
        return frame.substring(frame.lastIndexOf('/', end) + 1, end);
    }
}
