package io.vtagent.vm;

import jdk.internal.misc.CDS;

/**
 * Whether the JVM records the classes of this run for later ones. With a changed {@code java.lang.Object} among them JDK 25 aborts
 * when the application ends (SIGSEGV; any agent that retransforms that class does it), so an agent has no place there.
 */
public final class TrainingRun {
    private TrainingRun() {}

    /**
     * The JVM's own answer, whichever of its flags asked for it: {@code AOTCacheOutput}, {@code AOTMode=record},
     * {@code ArchiveClassesAtExit}, {@code AutoCreateSharedArchive}, {@code RecordDynamicDumpInfo}. The last three refuse every Java
     * agent unless {@code AllowArchivingWithJavaAgent} is given, which JDK 26 does not know any more.
     */
    public static boolean isOne() {
        try {
            return CDS.isDumpingArchive();
        } catch (LinkageError otherJvm) {
            return false;
        }
    }
}
