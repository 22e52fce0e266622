package io.vtagent.instrument;

import io.vtagent.jvm.JdkInternal;
import java.util.ArrayList;
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
            of(List.of(), Weave.onReturn("unmounted"), JdkInternal.RUN_CONTINUATION);

    /**
     * Runs when a carrier is created, on the thread that creates it. Counts the carriers for {@code
     * vthread.relief.carriers}.
     */
    static final JdkHook ON_CARRIER =
            of(List.of(), Weave.onReturn("carrierMade"), JdkInternal.CARRIER_INIT);

    /**
     * Returns the hooks of the sensors. Their behaviour was verified in the sources of JDK 21 and
     * 25, and is tested on both.
     */
    static List<JdkHook> ofSensors() {
        return List.of(
                // runs only when a park could not unmount
                of(
                        List.of(Sensor.PARK),
                        Weave.around("parkBegan", "parkEnded"),
                        JdkInternal.PARK_ON_CARRIER_THREAD),
                // runs just before that, and receives the reason
                of(
                        List.of(Sensor.PARK),
                        Weave.onEntry("yieldFailed", "Ljava/lang/Enum;"),
                        JdkInternal.ON_PINNED),
                // counts the refusals for vthread.submit.failed
                of(
                        List.of(),
                        Weave.onEntry("submitFailed", "Ljava/lang/Throwable;"),
                        JdkInternal.SUBMIT_FAILED),
                ON_CARRIER,
                // all other wait methods call this one
                of(
                        List.of(Sensor.WAIT),
                        Weave.around("waitBegan", "waitEnded"),
                        JdkInternal.OBJECT_WAIT),
                of(
                        List.of(Sensor.IO),
                        Weave.onReturn("ioBegan"),
                        JdkInternal.BLOCKER_BEGIN_LONG,
                        JdkInternal.BLOCKER_BEGIN),
                of(
                        List.of(Sensor.IO),
                        Weave.onEntry("ioEnded", ""),
                        JdkInternal.BLOCKER_END_LONG,
                        JdkInternal.BLOCKER_END),
                // reports whether the scheduler compensated for Object.wait (JDK 21) or I/O
                of(List.of(Sensor.IO), Weave.onReturn("compensationTried"), toForkJoinPool()));
    }

    /** Returns a hook in a method of which a class has one of the {@code forms}. */
    private static JdkHook of(List<Sensor> neededBy, Weave weave, JdkInternal... forms) {
        List<String> descriptors = new ArrayList<>();
        for (JdkInternal form : forms) {
            descriptors.add(form.descriptor());
        }
        JdkInternal method = forms[0];
        return new JdkHook(neededBy, method.internalName(), method.member(), descriptors, weave);
    }

    /**
     * Returns the method by which the JDK asks the scheduler to compensate. {@code ForkJoinPool}
     * itself is not changed: carriers that are already running would stay in its old {@code
     * runWorker}, interpreted, until they end.
     */
    private static JdkInternal toForkJoinPool() {
        try {
            Class<?> unused = JdkInternal.CARRIER_COMPENSATE.type();
            return JdkInternal.CARRIER_COMPENSATE;
        } catch (ClassNotFoundException beforeJdk23) {
            return JdkInternal.BLOCKER_COMPENSATE;
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
