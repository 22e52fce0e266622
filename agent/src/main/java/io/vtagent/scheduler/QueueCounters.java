package io.vtagent.scheduler;

import io.vtagent.jvm.JdkInternal;
import java.lang.reflect.Field;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * The counters of the scheduler's queues at one moment. Two of them show whether a carrier that has
 * the same virtual thread mounted at both moments can have run another one in between. Immutable.
 *
 * <p>A virtual thread that unmounts is put at the end of a queue before a carrier takes it again,
 * and queues are first in, first out. So it can have been taken again from a queue only if its
 * {@code base}, the number of tasks taken, is now beyond what its {@code top}, the number of tasks
 * put in, was before. A carrier takes tasks from its own queue, or it counts a steal.
 */
public final class QueueCounters {
    /** The knowledge whether a carrier has kept its virtual thread. */
    public enum Kept {
        /** The thread has been mounted all the time. */
        YES,
        /** The carrier has taken a task since. */
        NO,
        /** A task was taken since, by this carrier or by another one. */
        UNKNOWN
    }

    /** The bits of {@code WorkQueue.source} that are the index of a queue. */
    private static final int INDEX = 0xffff;

    /**
     * The first release known to count a steal before it runs the task. On JDK 21 a carrier counts
     * its steals once the queue is empty that it takes them from.
     */
    private static final int EXACT_STEALS_SINCE = 25;

    private final @Nullable Object[] owners;
    private final int[] bases;
    private final int[] tops;
    private final int[] steals;
    private final int[] sources;
    private final boolean exactSteals;

    /** Reads the counters. Thread-safe. */
    public static final class Reader {
        private final Supplier<@Nullable Object[]> queues;
        private final Field owner = CarrierPool.field(JdkInternal.QUEUE_OWNER);
        private final Field base = CarrierPool.field(JdkInternal.QUEUE_BASE);
        private final Field top = CarrierPool.field(JdkInternal.QUEUE_TOP);
        private final Field steals = CarrierPool.field(JdkInternal.QUEUE_STEALS);
        private final Field source = CarrierPool.field(JdkInternal.QUEUE_SOURCE);
        private final boolean exactSteals = Runtime.version().feature() >= EXACT_STEALS_SINCE;

        Reader(Supplier<@Nullable Object[]> queues) throws ReflectiveOperationException {
            this.queues = queues;
        }

        /** Reads the counters of all queues, which takes about 1 &micro;s a queue. */
        public QueueCounters read() {
            @Nullable Object[] all = queues.get();
            QueueCounters counters = new QueueCounters(all.length, exactSteals);
            for (int i = 0; i < all.length; i++) {
                Object queue = all[i];
                if (queue != null) {
                    counters.set(
                            i,
                            CarrierPool.read(owner, queue),
                            number(base, queue),
                            number(top, queue),
                            number(steals, queue),
                            number(source, queue));
                }
            }
            return counters;
        }

        private static int number(Field field, Object queue) {
            try {
                return field.getInt(queue);
            } catch (IllegalAccessException impossible) {
                throw new AssertionError(impossible);
            }
        }
    }

    QueueCounters(int queues, boolean exactSteals) {
        owners = new Object[queues];
        bases = new int[queues];
        tops = new int[queues];
        steals = new int[queues];
        sources = new int[queues];
        this.exactSteals = exactSteals;
    }

    /**
     * @param owner the carrier whose queue it is; null if it is a queue of submissions
     */
    void set(int index, @Nullable Object owner, int base, int top, int stolen, int source) {
        owners[index] = owner;
        bases[index] = base;
        tops[index] = top;
        steals[index] = stolen;
        sources[index] = source;
    }

    /**
     * Returns whether {@code carrier} has kept the virtual thread that it had mounted just before
     * both these counters and {@code before} were read.
     */
    public Kept keptSince(QueueCounters before, Thread carrier) {
        int own = indexOf(carrier);
        if (own < 0 || before.indexOf(carrier) != own || steals[own] != before.steals[own]) {
            return Kept.NO;
        }
        int source = sources[own] & INDEX;
        boolean fromOwn = canBeTakenAgain(before, own);
        boolean fromSource =
                !exactSteals
                        && source != own
                        && source < bases.length
                        && canBeTakenAgain(before, source);
        if (!fromOwn && !fromSource) {
            return Kept.YES;
        }
        boolean byOthers =
                (!fromOwn || canOthersTake(before, own, own))
                        && (!fromSource || canOthersTake(before, source, own));
        return byOthers ? Kept.UNKNOWN : Kept.NO;
    }

    private int indexOf(Thread carrier) {
        for (int i = 0; i < owners.length; i++) {
            if (owners[i] == carrier) {
                return i;
            }
        }
        return -1;
    }

    /**
     * Returns whether a task that was put in the queue since {@code before} can have been taken.
     */
    private boolean canBeTakenAgain(QueueCounters before, int queue) {
        // a queue that is new began empty; the counters may overflow
        int top = queue < before.tops.length && before.tops[queue] != 0 ? before.tops[queue] : 1;
        return bases[queue] - top > 0;
    }

    /**
     * Returns whether another carrier than that of the queue {@code own} can have taken tasks from
     * {@code queue} since {@code before}.
     */
    private boolean canOthersTake(QueueCounters before, int queue, int own) {
        for (int i = 0; i < owners.length; i++) {
            boolean stole = i >= before.steals.length || steals[i] != before.steals[i];
            boolean isStealing = !exactSteals && sources[i] != 0 && (sources[i] & INDEX) == queue;
            if (i != own && owners[i] != null && (stole || isStealing)) {
                return true;
            }
        }
        return false;
    }
}
