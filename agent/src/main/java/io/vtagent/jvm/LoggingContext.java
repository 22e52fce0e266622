package io.vtagent.jvm;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The mapped diagnostic context (MDC) of any thread, if it is a {@link HashMap} in a {@code
 * ThreadLocal}, as that of Logback is. Only texts in maps of exactly this class are read, so no
 * code of the application runs. While the thread changes its map, a value may be missing.
 * Thread-safe.
 */
public final class LoggingContext {
    /** An empty one, to warm up with. */
    private static final ThreadLocal<Object> SYNTHETIC = ThreadLocal.withInitial(HashMap::new);

    private final List<String> keys;

    public LoggingContext(List<String> keys) {
        this.keys = keys;
    }

    /** Runs the code that reads a context. */
    public void warmUp() {
        Object unused = SYNTHETIC.get();
        String unusedToo = of(Thread.currentThread());
        SYNTHETIC.remove();
    }

    /** Returns {@code key=value} for each key that {@code thread} has, separated by commas. */
    public String of(Thread thread) {
        StringBuilder text = new StringBuilder();
        for (String key : keys) {
            String value = value(thread, key);
            if (value != null) {
                text.append(text.isEmpty() ? "" : ", ").append(key).append('=').append(value);
            }
        }
        return text.toString();
    }

    private static @Nullable String value(Thread thread, String key) {
        for (Object entry : LocalsOfThread.entriesOf(thread)) {
            Object local = entry == null ? null : LocalsOfThread.valueIn(entry);
            // any other map may run code of the application
            if (local != null
                    && local.getClass() == HashMap.class
                    && ((Map<?, ?>) local).get(key) instanceof String value) {
                return value;
            }
        }
        return null;
    }
}
