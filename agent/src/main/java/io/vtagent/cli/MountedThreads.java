package io.vtagent.cli;

import java.util.List;

/**
 * The virtual threads in a thread dump.
 *
 * @param used whether the dump shows that virtual threads have been used; false does not exclude
 *     that
 * @param mounted the number of virtual threads that have a carrier
 * @param example a method that one of those runs; empty if the dump has none, as up to JDK 21
 */
record MountedThreads(boolean used, long mounted, String example) {
    private static final String CARRYING = "   Carrying virtual thread #";
    private static final String MOUNTED = "   Mounted virtual thread #";
    private static final String FRAME = "\tat ";

    /** The start of the name of a thread that the JDK starts with the first virtual thread. */
    private static final String SIGN = "\"VirtualThread-un";

    static MountedThreads of(AttachedJvm jvm) {
        return of(jvm.threadDump());
    }

    static MountedThreads of(List<String> dump) {
        boolean used = false;
        long mounted = 0;
        String example = "";
        boolean inMounted = false;
        for (String line : dump) {
            used |= line.startsWith(SIGN);
            if (line.startsWith(CARRYING)) {
                mounted++;
            }
            inMounted |= line.startsWith(MOUNTED);
            inMounted &= !line.isEmpty();
            boolean ofTheJdk = line.startsWith("\tat java.") || line.contains("(java.base@");
            if (inMounted && example.isEmpty() && line.startsWith(FRAME) && !ofTheJdk) {
                example =
                        line.substring(
                                FRAME.length(),
                                line.indexOf('(') < 0 ? line.length() : line.indexOf('('));
            }
        }
        return new MountedThreads(used || mounted > 0, mounted, example);
    }

    String inWords() {
        if (!used) {
            return "none found";
        }
        return mounted
                + " mounted"
                + (example.isEmpty() ? "" : ", in " + Lines.abbreviate(example, 24));
    }
}
