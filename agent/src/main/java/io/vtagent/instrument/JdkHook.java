package io.vtagent.instrument;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method of the JDK that calls the probe.
 *
 * @param neededBy the sensors that do not work without it; empty if it only counts
 * @param owner the class's name, with slashes
 * @param descriptors the descriptors that the method has in some version of the JDK; a class has
 *     one of them
 */
record JdkHook(
        List<Sensor> neededBy, String owner, String method, List<String> descriptors, Weave weave) {

    /** Runs on the carrier each time a virtual thread has left it. */
    static final JdkHook ON_UNMOUNT =
            new JdkHook(
                    List.of(),
                    "java/lang/VirtualThread",
                    "runContinuation",
                    List.of("()V"),
                    Weave.onReturn("unmounted"));

    /**
     * Runs when a carrier is created, on the thread that creates it. Counts the carriers for {@code
     * vthread.relief.carriers}.
     */
    static final JdkHook ON_CARRIER =
            new JdkHook(
                    List.of(),
                    "jdk/internal/misc/CarrierThread",
                    "<init>",
                    List.of("(Ljava/util/concurrent/ForkJoinPool;)V"),
                    Weave.onReturn("carrierMade"));

    /**
     * Returns the hooks of the sensors. Their behaviour was verified in the sources of JDK 21 and
     * 25, and is tested on both.
     */
    static List<JdkHook> ofSensors() {
        String blocker = "jdk/internal/misc/Blocker";
        return List.of(
                // runs only when a park could not unmount
                new JdkHook(
                        List.of(Sensor.PARK),
                        "java/lang/VirtualThread",
                        "parkOnCarrierThread",
                        List.of("(ZJ)V"),
                        Weave.around("parkBegan", "parkEnded")),
                // runs just before that, and receives the reason
                new JdkHook(
                        List.of(Sensor.PARK),
                        "java/lang/VirtualThread$VThreadContinuation",
                        "onPinned",
                        List.of("(Ljdk/internal/vm/Continuation$Pinned;)V"),
                        Weave.onEntry("yieldFailed", "Ljava/lang/Enum;")),
                // counts the refusals for vthread.submit.failed
                new JdkHook(
                        List.of(),
                        "java/lang/VirtualThread",
                        "submitFailed",
                        List.of("(Ljava/util/concurrent/RejectedExecutionException;)V"),
                        Weave.onEntry("submitFailed", "Ljava/lang/Throwable;")),
                ON_CARRIER,
                // all other wait methods call this one
                new JdkHook(
                        List.of(Sensor.WAIT),
                        "java/lang/Object",
                        "wait",
                        List.of("(J)V"),
                        Weave.around("waitBegan", "waitEnded")),
                new JdkHook(
                        List.of(Sensor.IO),
                        blocker,
                        "begin",
                        List.of("()J", "()Z"),
                        Weave.onReturn("ioBegan")),
                new JdkHook(
                        List.of(Sensor.IO),
                        blocker,
                        "end",
                        List.of("(J)V", "(Z)V"),
                        Weave.onEntry("ioEnded", "")),
                // reports whether the scheduler compensated for Object.wait (JDK 21) or I/O
                new JdkHook(
                        List.of(Sensor.IO),
                        toForkJoinPool(),
                        "beginCompensatedBlock",
                        List.of("(Ljava/util/concurrent/ForkJoinPool;)J"),
                        Weave.onReturn("compensationTried")));
    }

    /**
     * Returns the class through which the JDK asks the scheduler to compensate. {@code
     * ForkJoinPool} itself is not changed: carriers that are already running would stay in its old
     * {@code runWorker}, interpreted, until they end.
     */
    private static String toForkJoinPool() {
        try {
            Class.forName("jdk.internal.misc.CarrierThread$ForkJoinPools", false, null);
            return "jdk/internal/misc/CarrierThread$ForkJoinPools";
        } catch (ClassNotFoundException beforeJdk23) {
            return "jdk/internal/misc/Blocker$ForkJoinPools";
        }
    }

    boolean matches(String name, String descriptor) {
        return method.equals(name) && descriptors.contains(descriptor);
    }

    /**
     * Compares identities. For the methods that a record has by default the JDK generates code,
     * which takes 20 ms before {@code main}.
     */
    @Override
    public boolean equals(@Nullable Object other) {
        return this == other;
    }

    @Override
    public int hashCode() {
        return System.identityHashCode(this);
    }

    @Override
    public String toString() {
        return owner.replace('/', '.') + "." + method + String.join(" or ", descriptors);
    }
}
