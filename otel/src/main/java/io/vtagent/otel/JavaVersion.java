package io.vtagent.otel;

/**
 * The version of Java that runs OpenTelemetry's agent, which may be one without virtual threads.
 */
final class JavaVersion {
    private static final int FIRST_WITH_VIRTUAL_THREADS = 21;

    private JavaVersion() {}

    static boolean hasVirtualThreads() {
        String version = version();
        return !version.startsWith("1.") && Integer.parseInt(version) >= FIRST_WITH_VIRTUAL_THREADS;
    }

    /** Describes a version that {@link #hasVirtualThreads} refuses, and what is expected. */
    static String tooOld() {
        return "this is Java "
                + version()
                + ", virtual threads need Java "
                + FIRST_WITH_VIRTUAL_THREADS
                + " or later";
    }

    private static String version() {
        return System.getProperty("java.specification.version");
    }
}
