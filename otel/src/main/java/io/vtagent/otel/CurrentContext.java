package io.vtagent.otel;

import io.opentelemetry.context.Context;
import java.lang.reflect.Field;

/**
 * The variable in which OpenTelemetry keeps the current context of each thread. A hook of vt-agent
 * reads it without running any code of OpenTelemetry or of a storage that wraps it.
 */
final class CurrentContext {
    private static final String STORAGE = "ThreadLocalContextStorage";
    private static final String VARIABLE = "THREAD_LOCAL_STORAGE";

    private CurrentContext() {}

    /**
     * @throws ReflectiveOperationException if there is no such variable
     */
    static ThreadLocal<?> find() throws ReflectiveOperationException {
        // OpenTelemetry renames the package, also in this class
        String name = Context.class.getPackage().getName() + '.' + STORAGE;
        Field field =
                Class.forName(name, true, Context.class.getClassLoader())
                        .getDeclaredField(VARIABLE);
        field.setAccessible(true);
        Object variable = field.get(null);
        if (variable == null || variable.getClass() != ThreadLocal.class) {
            throw new NoSuchFieldException(name + '.' + VARIABLE); // another one may run any code
        }
        return (ThreadLocal<?>) variable;
    }
}
