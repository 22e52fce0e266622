package io.vtagent.instrument;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A method of the JDK that calls the probe.
 *
 * @param neededBy the sensors that do not work without it: none, if it only counts
 * @param owner the class's name, with slashes
 * @param descriptors of which the class has one, whichever the JDK's version
 */
record JdkHook(List<Sensor> neededBy, String owner, String method, List<String> descriptors, Weave weave) {

    /** Runs on the carrier, for each stretch of a virtual thread from its mount to its unmount. */
    static final JdkHook ON_UNMOUNT = new JdkHook(
            List.of(), "java/lang/VirtualThread", "runContinuation", List.of("()V"), Weave.onReturn("unmounted"));

    /** Runs when a carrier is made, on the thread that makes it. It counts, for {@code vthread.relief.carriers}. */
    static final JdkHook ON_CARRIER = new JdkHook(
            List.of(),
            "jdk/internal/misc/CarrierThread",
            "<init>",
            List.of("(Ljava/util/concurrent/ForkJoinPool;)V"),
            Weave.onReturn("carrierMade"));

    /** Those of the sensors. Their behaviour was read in the sources of JDK 21 and 25, where it is also tested. */
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
                // runs just before that, and knows why
                new JdkHook(
                        List.of(Sensor.PARK),
                        "java/lang/VirtualThread$VThreadContinuation",
                        "onPinned",
                        List.of("(Ljdk/internal/vm/Continuation$Pinned;)V"),
                        Weave.onEntry("yieldFailed", "Ljava/lang/Enum;")),
                // counts, for vthread.submit.failed
                new JdkHook(
                        List.of(),
                        "java/lang/VirtualThread",
                        "submitFailed",
                        List.of("(Ljava/util/concurrent/RejectedExecutionException;)V"),
                        Weave.onEntry("submitFailed", "Ljava/lang/Throwable;")),
                ON_CARRIER,
                // every other wait ends here
                new JdkHook(
                        List.of(Sensor.WAIT),
                        "java/lang/Object",
                        "wait",
                        List.of("(J)V"),
                        Weave.around("waitBegan", "waitEnded")),
                new JdkHook(List.of(Sensor.IO), blocker, "begin", List.of("()J", "()Z"), Weave.onReturn("ioBegan")),
                new JdkHook(List.of(Sensor.IO), blocker, "end", List.of("(J)V", "(Z)V"), Weave.onEntry("ioEnded", "")),
                // whether the scheduler accepted to compensate: of Object.wait on 21, and of I/O
                new JdkHook(
                        List.of(Sensor.IO),
                        toForkJoinPool(),
                        "beginCompensatedBlock",
                        List.of("(Ljava/util/concurrent/ForkJoinPool;)J"),
                        Weave.onReturn("compensationTried")));
    }

    /**
     * The class through which the JDK asks the scheduler to compensate. Not {@code ForkJoinPool} itself: where carriers run
     * already, to change that would leave them in its old {@code runWorker}, interpreted, until they end.
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

    /** By identity: for the methods that a record has of itself the JDK spins code, which takes 20 ms before {@code main}. */
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
