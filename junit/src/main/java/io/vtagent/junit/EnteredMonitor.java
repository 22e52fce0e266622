package io.vtagent.junit;

import java.lang.reflect.Modifier;
import java.util.Arrays;
import java.util.List;

/**
 * Tells the monitors that code has from those that the JVM has for itself, under which it links and initializes classes ({@code
 * InstanceKlass::link_class_impl}): a thread that waits for one of these seems to wait in whatever method needed the class.
 */
final class EnteredMonitor {
    private EnteredMonitor() {}

    /**
     * Whether a pin of kind {@code enter} with {@code stack} may be the wait for a monitor of code's. Where monitors pin, the agent knows them
     * all but those of {@code synchronized} methods; where they do not, who waits for one leaves its carrier, unless for another reason.
     */
    static boolean mayBeOfCode(boolean monitorsPin, String monitor, String reason, List<String> stack) {
        return monitorsPin
                ? !monitor.isEmpty() || stack.isEmpty() || mayBeSynchronized(Incidental.method(stack.get(0)))
                : !reason.equals("none");
    }

    /** A class that cannot be looked at may have a method that is. */
    private static boolean mayBeSynchronized(String method) {
        int dot = method.lastIndexOf('.');
        String name = method.substring(dot + 1);
        try {
            Class<?> type = Class.forName(
                    method.substring(0, Math.max(dot, 0)),
                    false,
                    Thread.currentThread().getContextClassLoader());
            return Arrays.stream(type.getDeclaredMethods())
                    .anyMatch(each -> each.getName().equals(name) && Modifier.isSynchronized(each.getModifiers()));
        } catch (ClassNotFoundException | LinkageError unknown) {
            return true;
        }
    }
}
