package io.vtagent.demo.workload;

import com.sun.management.UnixOperatingSystemMXBean;
import io.vtagent.demo.model.Result;
import java.lang.management.ManagementFactory;

/** The file descriptors of this process: each connection needs one, on either side. */
public final class Descriptors {

    /** Classes, libraries and pollers need some too. */
    private static final int OTHERS = 256;

    private Descriptors() {}

    /** As many of {@code connections} as there are descriptors for. */
    public static int enoughFor(int connections) {
        return Math.max(1, Math.min(connections, most() - OTHERS));
    }

    /** Adds a note to {@code result} if that was fewer. */
    public static Result noted(Result result, int connections) {
        int possible = enoughFor(connections);
        return possible == connections
                ? result
                : result.note(
                        "Limited by the descriptors of a process, of which there are %,d here (ulimit -n): %,d of %,d connections."
                                .formatted(most(), possible, connections));
    }

    private static int most() {
        return ManagementFactory.getOperatingSystemMXBean()
                        instanceof UnixOperatingSystemMXBean unix
                ? (int) Math.min(Integer.MAX_VALUE, unix.getMaxFileDescriptorCount())
                : Integer.MAX_VALUE;
    }
}
