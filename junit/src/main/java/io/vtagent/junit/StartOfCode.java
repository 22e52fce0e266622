package io.vtagent.junit;

import java.util.List;
import java.util.Set;

/**
 * What takes a carrier because code runs for the first time: its classes are loaded, linked and initialized. That a test is the first to
 * do so is not its fault. docs/testing.md has what was measured.
 */
final class StartOfCode {
    private static final Set<PinKind> KINDS = Set.of(PinKind.CLASS_INIT, PinKind.JVM);
    private static final String INITIALIZER = ".<clinit>(";
    private static final List<String> LOADING = List.of(
            "java.lang.ClassLoader.",
            "jdk.internal.loader.",
            "java.lang.invoke.MethodHandleNatives.",
            "java.lang.Class.forName");

    private StartOfCode() {}

    static boolean isOne(Pin pin) {
        return KINDS.contains(pin.kind()) || pin.stack().stream().anyMatch(StartOfCode::isOne);
    }

    private static boolean isOne(String frame) {
        String method = frame.substring(frame.lastIndexOf('/', Math.max(frame.indexOf('('), 0)) + 1);
        return frame.contains(INITIALIZER) || LOADING.stream().anyMatch(method::startsWith);
    }
}
