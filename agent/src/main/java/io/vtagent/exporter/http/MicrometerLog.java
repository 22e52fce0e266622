package io.vtagent.exporter.http;

import io.micrometer.common.util.internal.logging.InternalLogger;
import io.micrometer.common.util.internal.logging.InternalLoggerFactory;
import io.vtagent.log.AgentLog;
import java.lang.reflect.Proxy;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/**
 * Logs Micrometer's warnings and errors at level {@code debug}. By default Micrometer would
 * initialize {@code java.util.logging} before the application has configured it.
 */
public final class MicrometerLog extends InternalLoggerFactory {

    /**
     * Installs this logger. Must be called before Micrometer's first class that logs is
     * initialized.
     */
    public static void install() {
        InternalLoggerFactory.setDefaultFactory(new MicrometerLog());
    }

    @Override
    protected InternalLogger newInstance(String name) {
        Class<?>[] type = {InternalLogger.class};
        return (InternalLogger)
                Proxy.newProxyInstance(
                        InternalLogger.class.getClassLoader(),
                        type,
                        (proxy, method, arguments) -> call(name, method.getName(), arguments));
    }

    private static @Nullable Object call(
            String logger, String method, Object @Nullable [] arguments) {
        boolean serious = method.startsWith("warn") || method.startsWith("error");
        if (serious) {
            AgentLog.debug(logger + ": " + Arrays.deepToString(arguments));
        }
        if (method.endsWith("Enabled")) {
            return method.equals("isWarnEnabled") || method.equals("isErrorEnabled");
        }
        return method.equals("name") ? logger : null;
    }
}
