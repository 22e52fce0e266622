package io.vtagent.site;

/**
 * Recognizes frames through which a method calls another that its code does not name: reflection,
 * method handles, proxies. Such a frame only passes a call on, so it is neither the operation that
 * blocks nor its caller. Thread-safe, without locks.
 */
final class ReflectiveFrames {
    private static final String PROXY = "$Proxy";

    private ReflectiveFrames() {}

    /** Returns whether the frame of this class and method is reflective. */
    static boolean isOne(String className, String method) {
        return className.startsWith("java.lang.invoke.")
                || className.startsWith("java.lang.reflect.")
                || className.startsWith("jdk.internal.reflect.")
                || (className.equals("java.lang.Class") && method.equals("newInstance"))
                || isProxy(className);
    }

    static boolean isOne(StackTraceElement frame) {
        return isOne(frame.getClassName(), frame.getMethodName());
    }

    /**
     * Returns whether this is a proxy's class. The proxy of an interface that is not public is in
     * that interface's package.
     */
    private static boolean isProxy(String className) {
        int at = className.lastIndexOf('.') + 1;
        if (!className.startsWith(PROXY, at) || className.length() == at + PROXY.length()) {
            return false;
        }
        for (int i = at + PROXY.length(); i < className.length(); i++) {
            if (!Character.isDigit(className.charAt(i))) {
                return false;
            }
        }
        return true;
    }
}
