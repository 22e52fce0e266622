package io.vtagent.junit;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/**
 * Distinguishes the monitors of Java code from those that the JVM itself uses to link and
 * initialize classes ({@code InstanceKlass::link_class_impl}). A thread that waits for one of the
 * latter seems to wait in the method that needed the class.
 */
final class EnteredMonitor {
    private EnteredMonitor() {}

    /**
     * Returns whether a pin of kind {@code enter} with {@code stack} may be the wait for a monitor
     * of Java code. Where monitors pin, the agent knows all of these except those of {@code
     * synchronized} methods. Where monitors do not pin, a thread that waits for one unmounts unless
     * something else pins it.
     */
    static boolean mayBeOfCode(
            boolean monitorsPin, String monitor, String reason, List<String> stack) {
        return monitorsPin
                ? !monitor.isEmpty()
                        || stack.isEmpty()
                        || mayBeSynchronized(Incidental.method(stack.get(0)))
                : !reason.equals("none");
    }

    /** Returns true if the class cannot be inspected, because it may have such a method. */
    private static boolean mayBeSynchronized(String method) {
        int dot = method.lastIndexOf('.');
        String name = method.substring(dot + 1);
        try {
            Class<?> type =
                    Class.forName(
                            method.substring(0, Math.max(dot, 0)),
                            false,
                            Thread.currentThread().getContextClassLoader());
            return Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(
                            each ->
                                    each.getName().equals(name)
                                            && Modifier.isSynchronized(each.getModifiers()));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return true;
        }
    }
}
