package io.vtagent.jfr;

import java.io.File;

/**
 * The free space of the file system to which JFR writes. If there is none, HotSpot ends the JVM
 * ("An irrecoverable error in Jfr. Shutting down VM...", jfrJavaSupport.cpp, on JDK 21 and 25). So
 * the agent has JFR write only while enough is free. Thread-safe.
 */
final class JfrDiskSpace {
    private static final long MIB = 1 << 20;

    /**
     * At least this much must be free; on a large file system the fraction 1 / {@link #PART} of it,
     * at most {@link #MAX_BYTES}.
     */
    private static final long MIN_BYTES = 32 * MIB;

    private static final int PART = 20;
    private static final long MAX_BYTES = 1024 * MIB;

    private final File folder;

    JfrDiskSpace(File folder) {
        this.folder = folder;
    }

    /**
     * Returns the folder to which JFR writes in this JVM or, if it does not write yet, most likely
     * will.
     */
    static JfrDiskSpace ofThisJvm() {
        String temporary = System.getProperty("java.io.tmpdir", ".");
        return new JfrDiskSpace(new File(System.getProperty("jdk.jfr.repository", temporary)));
    }

    /** Returns an empty string if JFR may go on; otherwise the reason why not. */
    String missing() {
        return missing(1);
    }

    /**
     * Returns an empty string if JFR may begin; otherwise the reason why not. To begin takes twice
     * the space that it takes to go on.
     */
    String missingToBegin() {
        return missing(2);
    }

    private String missing(int times) {
        long leastBytes = times * leastBytes(folder.getTotalSpace());
        long bytes = folder.getUsableSpace();
        return bytes >= leastBytes
                ? ""
                : "Flight Recorder writes to "
                        + folder
                        + ", where "
                        + bytes / MIB
                        + " MiB are free, expected at least "
                        + leastBytes / MIB
                        + ": without space it would end the JVM";
    }

    /**
     * Returns how much must be free on a file system of this size, which is 0 if it is not known.
     */
    static long leastBytes(long totalBytes) {
        return totalBytes == 0 ? 0 : Math.clamp(totalBytes / PART, MIN_BYTES, MAX_BYTES);
    }
}
