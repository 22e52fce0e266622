package io.vtagent.it.fault;

import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The faults that are active. Called by every method of the agent, from virtual threads that hold
 * their carrier too: takes no lock and allocates only what it throws. Thread-safe.
 */
public final class Faults {
    static final String PROPERTY = "it.faults";

    /** The kind of what is thrown. */
    public enum Kind {
        EXCEPTION,
        OUT_OF_MEMORY,
        STACK_OVERFLOW;

        private Throwable make() {
            return switch (this) {
                case EXCEPTION -> new IllegalStateException("injected");
                case OUT_OF_MEMORY -> new OutOfMemoryError("injected");
                case STACK_OVERFLOW -> new StackOverflowError("injected");
            };
        }
    }

    /**
     * @param point null for every one
     * @param thread null for all
     * @param from throws the first time when the point is reached for this time, counted from 1
     * @param times the number of times that it throws
     */
    private record Plan(
            @Nullable String point,
            @Nullable Thread thread,
            Kind kind,
            int from,
            int times,
            AtomicInteger reached) {}

    /**
     * Methods that return the scheduler's answer, or what was taken and is nowhere else, and those
     * after it was given back. Only a return itself could fail there, which takes neither memory
     * nor stack.
     */
    private static final Set<String> CANNOT_FAIL =
            Set.of(
                    "Compensation.begin:end",
                    "SurplusCarrierParking.wakeInstead:end",
                    "Relief.begin:end",
                    "CompensationToken.take:end",
                    "Relief$Rescue.take:end",
                    "Compensation.end:end",
                    "Relief.release:end",
                    "Relief.ended:end",
                    "Relief.endOf:end",
                    "Relief.end:end");

    private static volatile @Nullable Plan plan;
    private static volatile @Nullable String blocked;
    private static final CountDownLatch BLOCKED = new CountDownLatch(1);
    private static final CountDownLatch RELEASED = new CountDownLatch(1);

    /** The point that has thrown last. */
    private static volatile String thrownAt = "nowhere";

    private Faults() {}

    static void install() {
        Consumer<String> faults = Faults::reached;
        System.getProperties().put(PROPERTY, faults);
    }

    /** From now on {@code point} does not come to an end, even if it is interrupted. */
    static void blockAt(String point) {
        blocked = point;
    }

    /** Releases what is blocked. */
    static String release() {
        blocked = null;
        RELEASED.countDown();
        return "ok";
    }

    /** Returns whether a thread has come to the point that blocks, now or within a minute. */
    static boolean awaitBlocked() throws InterruptedException {
        return BLOCKED.await(1, TimeUnit.MINUTES);
    }

    /** From now on {@code point} throws, {@code times} times. */
    public static void at(String point, Kind kind, int times) {
        plan = new Plan(point, null, kind, 1, times, new AtomicInteger());
    }

    /**
     * The point that {@code thread} reaches as the {@code number}th from now on throws, whichever
     * it is.
     */
    public static void at(Thread thread, Kind kind, int number) {
        plan = new Plan(null, thread, kind, number, 1, new AtomicInteger());
    }

    /** Nothing fails any more: how often a point was reached that was to fail. */
    public static int stop() {
        Plan before = plan;
        plan = null;
        return before == null ? 0 : before.reached.get();
    }

    static String thrownAt() {
        return thrownAt;
    }

    /** Returns how often the point was reached that is to fail now. */
    static int reached() {
        Plan now = plan;
        return now == null ? 0 : now.reached.get();
    }

    private static void reached(String point) {
        while (point.equals(blocked)) {
            BLOCKED.countDown();
            try {
                RELEASED.await();
            } catch (InterruptedException goesOnBlocking) {
                // even if it is interrupted
            }
        }
        Plan now = plan;
        if (now == null
                || (now.thread != null && now.thread != Thread.currentThread())
                || (now.point == null ? isOutOfReach(point) : !now.point.equals(point))) {
            return;
        }
        int number = now.reached.incrementAndGet();
        if (number >= now.from && number - now.from < now.times) {
            thrownAt = point;
            throwUnchecked(now.kind.make());
        }
    }

    private static boolean isOutOfReach(String point) {
        return point.startsWith("VtAgentProbe.") || CANNOT_FAIL.contains(point);
    }

    @SuppressWarnings("unchecked")
    private static <T extends Throwable> void throwUnchecked(Throwable failure) throws T {
        throw (T) failure;
    }
}
