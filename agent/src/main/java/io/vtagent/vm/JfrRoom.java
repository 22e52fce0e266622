package io.vtagent.vm;

import java.io.File;

/**
 * The room that is left where JFR writes to. Where it finds none HotSpot ends the JVM ("An irrecoverable error in Jfr. Shutting down VM...",
 * jfrJavaSupport.cpp, on JDK 21 and 25), so the agent has JFR write only where there is some. Thread-safe.
 */
final class JfrRoom {
    private static final long MIB = 1 << 20;

    /** So much is to be left at least, of a large file system more: this part of it. */
    private static final long LEAST_BYTES = 32 * MIB;

    private static final int PART = 20;
    private static final long MOST_BYTES = 1024 * MIB;

    private final File folder;

    JfrRoom(File folder) {
        this.folder = folder;
    }

    /** Where JFR writes to in this JVM or, if it does not write yet, most likely will. */
    static JfrRoom ofThisJvm() {
        String temporary = System.getProperty("java.io.tmpdir", ".");
        return new JfrRoom(new File(System.getProperty("jdk.jfr.repository", temporary)));
    }

    /** Empty if JFR may go on; otherwise why it may not. */
    String missing() {
        return missing(1);
    }

    /** Empty if JFR may begin; otherwise why it may not. What is just enough to go on is not. */
    String missingToBegin() {
        return missing(2);
    }

    private String missing(int times) {
        long leastBytes = times * leastBytes(folder.getTotalSpace());
        long bytes = folder.getUsableSpace();
        return bytes >= leastBytes
                ? ""
                : "Flight Recorder writes to " + folder + ", where " + bytes / MIB + " MiB are free, expected at least "
                        + leastBytes / MIB + ": it would end the JVM if there were none";
    }

    /** How much is to be left of a file system of that size, whose size is 0 if it is not known. */
    static long leastBytes(long totalBytes) {
        return totalBytes == 0 ? 0 : Math.clamp(totalBytes / PART, LEAST_BYTES, MOST_BYTES);
    }
}
