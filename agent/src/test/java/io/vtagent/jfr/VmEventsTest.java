package io.vtagent.jfr;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.vtagent.site.FramesOfInterest;
import java.io.IOException;
import java.lang.reflect.Field;
import java.util.List;
import java.util.Objects;
import jdk.jfr.FlightRecorderListener;
import org.junit.jupiter.api.Test;

class VmEventsTest {
    @Test
    @SuppressWarnings("NullAway") // JFR refuses a null that comes after the listener
    void aStreamThatDoesNotStartLeavesNoListener() throws ReflectiveOperationException {
        List<FlightRecorderListener> before = listeners();

        assertThatThrownBy(
                        () -> new VmEvents(new FramesOfInterest(8), pin -> {}, reason -> {}, null))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("JFR does not start")
                .hasStackTraceContaining("onClose");
        assertThat(listeners()).isEqualTo(before);
    }

    private static List<FlightRecorderListener> listeners() throws ReflectiveOperationException {
        Field field =
                Class.forName("jdk.jfr.internal.PlatformRecorder")
                        .getDeclaredField("changeListeners");
        Class<?> type = Class.forName("jdk.internal.misc.Unsafe"); // the package is not open
        Object unsafe = type.getMethod("getUnsafe").invoke(null);
        Object base = type.getMethod("staticFieldBase", Field.class).invoke(unsafe, field);
        Object offset = type.getMethod("staticFieldOffset", Field.class).invoke(unsafe, field);
        Object all =
                type.getMethod("getReference", Object.class, long.class)
                        .invoke(unsafe, base, offset);
        return ((List<?>) Objects.requireNonNull(all))
                .stream().map(FlightRecorderListener.class::cast).toList();
    }
}
