package io.vtagent.jvm;

import jdk.internal.misc.CDS;

/**
 * Detects a training run, in which the JVM records the classes of this run for later ones. If a
 * changed {@code java.lang.Object} is among them, JDK 25 aborts when the application ends (SIGSEGV;
 * any agent that retransforms that class causes it). The agent therefore stays out of such a run.
 */
public final class TrainingRun {
    private TrainingRun() {}

    /**
     * Asks the JVM whether this is a training run, whichever flag requested it: {@code
     * AOTCacheOutput}, {@code AOTMode=record}, {@code ArchiveClassesAtExit}, {@code
     * AutoCreateSharedArchive}, {@code RecordDynamicDumpInfo}. With the last three the JVM refuses
     * every Java agent unless {@code AllowArchivingWithJavaAgent} is given, a flag that JDK 26 no
     * longer has.
     */
    public static boolean isOne() {
        try {
            return CDS.isDumpingArchive();
        } catch (LinkageError otherJvm) {
            return false;
        }
    }
}
