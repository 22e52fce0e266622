package io.vtagent.usage;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.withinPercentage;

import io.vtagent.scheduler.QueueCounters.Kept;
import io.vtagent.site.FramesOfInterest;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Random;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/**
 * The time of all busy sites and of what has no stack, against the time for which simulated
 * carriers ran the same thread for the threshold or longer.
 */
class BusyTimeTest {
    private static final long MILLI = 1_000_000;
    private static final long THRESHOLD = 10 * MILLI;
    private static final long LENGTH = 500_000 * MILLI;
    private static final int THREADS = 8;
    private static final int MAX_SITES = 5;

    /** The sampling intervals while no carrier is held, and while one is busy. */
    private static final long IDLE_INTERVAL = 100 * MILLI;

    private static final long BUSY_INTERVAL = 10 * MILLI;

    /** One carrier: while it is not busy, no other makes the sampling interval short. */
    @Test
    void allBusySitesTogetherHaveTheTimeOfAllSpellsOverTheThreshold() {
        Simulation simulation = new Simulation(1, 200 * MILLI, 1_000 * MILLI, Stacks.MANY);

        simulation.run();

        assertThat(simulation.sites()).contains("(other)", "(unattributed)").hasSize(MAX_SITES + 2);
        assertThat(simulation.nanos()).isCloseTo(simulation.busyNanos, withinPercentage(1));
    }

    @Test
    void noTimeIsLostOrCountedTwiceBetweenSites() {
        Simulation one = new Simulation(4, 10 * MILLI, 500 * MILLI, Stacks.ONE);
        Simulation many = new Simulation(4, 10 * MILLI, 500 * MILLI, Stacks.MANY);
        Simulation none = new Simulation(4, 10 * MILLI, 500 * MILLI, Stacks.NONE);

        one.run();
        many.run();
        none.run();

        assertThat(one.sites()).containsExactly("com.acme.Sum.add:1");
        assertThat(none.sites()).containsExactly("(unattributed)");
        assertThat(many.nanos()).isEqualTo(one.nanos()).isEqualTo(none.nanos()).isPositive();
    }

    @Test
    void spellsUnderTheThresholdHaveNoTimeAlsoBesideLongOnes() {
        Simulation simulation = new Simulation(4, 100 * MILLI, 2_000 * MILLI, Stacks.BY_LENGTH);

        simulation.run();

        assertThat(simulation.sites()).containsExactly("com.acme.Sum.add:1");
    }

    private enum Stacks {
        ONE,
        /** More lines than sites, and at times no stack. */
        MANY,
        NONE,
        /** Spells under the threshold have line 2, others line 1. */
        BY_LENGTH
    }

    /** A time for which a carrier runs the same thread. */
    private record Spell(Thread thread, long beganNanos, long endNanos, long cpuBeforeNanos) {}

    private record At(Simulation simulation, long nanos) implements BusyCarriers.Moment {
        @Override
        public Kept keptSince(BusyCarriers.Moment before, Thread carrier) {
            return simulation.at(carrier, ((At) before).nanos) == simulation.at(carrier, nanos)
                    ? Kept.YES
                    : Kept.NO;
        }
    }

    /** Carriers that run threads for random times, of which half are shorter than 10 ms. */
    private static final class Simulation implements BusyCarriers.Carriers {
        private final Random random = new Random(48);
        private final Map<Thread, NavigableMap<Long, Spell>> carriers = new HashMap<>();
        private final Stacks stacks;
        private final BusySites sites = new BusySites(MAX_SITES);
        private final BusyCarriers busy;
        private long nowNanos;

        /** The time of all spells of the threshold and more. */
        private long busyNanos;

        Simulation(int number, long shortestNanos, long longestNanos, Stacks stacks) {
            this.stacks = stacks;
            for (int i = 0; i < number; i++) {
                carriers.put(new Thread("carrier"), timeline(shortestNanos, longestNanos));
            }
            busy =
                    new BusyCarriers(
                            sites, this, THRESHOLD, new FramesOfInterest(8, List.of("com.acme")));
        }

        private NavigableMap<Long, Spell> timeline(long shortestNanos, long longestNanos) {
            Thread[] threads = new Thread[THREADS];
            for (int i = 0; i < THREADS; i++) {
                threads[i] = new Thread("virtual");
            }
            NavigableMap<Long, Spell> spells = new TreeMap<>();
            long cpuNanos = 0;
            long fromNanos = 0;
            while (fromNanos < LENGTH) {
                // another thread at once, or the same one later
                fromNanos += random.nextBoolean() ? 0 : random.nextLong(50 * MILLI);
                long nanos =
                        random.nextBoolean()
                                ? random.nextLong(THRESHOLD)
                                : random.nextLong(shortestNanos, longestNanos);
                Thread thread = threads[spells.size() % THREADS];
                spells.put(fromNanos, new Spell(thread, fromNanos, fromNanos + nanos, cpuNanos));
                busyNanos += nanos >= THRESHOLD ? nanos : 0;
                cpuNanos += nanos;
                fromNanos += nanos;
            }
            return spells;
        }

        /** Samples as the sampler does until all spells have ended. */
        void run() {
            long sampledNanos = 0;
            while (sampledNanos < LENGTH + 10_000 * MILLI) {
                long mean = busy.isBusyForShort() ? BUSY_INTERVAL : IDLE_INTERVAL;
                long interval = mean / 2 + random.nextLong(mean);
                busy.checkWithin(interval, this::checkLater);
                nowNanos = sampledNanos + interval;
                busy.begin();
                for (Thread carrier : carriers.keySet()) {
                    Thread mounted = mountedOn(carrier);
                    if (mounted != null) {
                        busy.add(carrier, mounted);
                    }
                }
                busy.end(nowNanos, interval);
                sampledNanos = nowNanos;
            }
        }

        private boolean checkLater(long nanos) {
            nowNanos += nanos;
            busy.check(nowNanos);
            return true;
        }

        List<String> sites() {
            return sites.sites().stream().map(BusySite::site).toList();
        }

        long nanos() {
            return sites.sites().stream().mapToLong(BusySite::nanos).sum();
        }

        private @Nullable Spell at(Thread carrier, long nanos) {
            Spell newest = newest(carrier, nanos);
            return newest == null || newest.endNanos <= nanos ? null : newest;
        }

        /** Returns the spell that runs, or that has run last. */
        private @Nullable Spell newest(Thread carrier, long nanos) {
            Map.Entry<Long, Spell> newest =
                    Objects.requireNonNull(carriers.get(carrier)).floorEntry(nanos);
            return newest == null ? null : newest.getValue();
        }

        private boolean isShort(Thread thread) {
            for (Thread carrier : carriers.keySet()) {
                Spell spell = at(carrier, nowNanos);
                if (spell != null && spell.thread == thread) {
                    return spell.endNanos - spell.beganNanos < THRESHOLD;
                }
            }
            return false;
        }

        @Override
        public long nanoTime() {
            return nowNanos;
        }

        @Override
        public BusyCarriers.Moment moment() {
            return new At(this, nowNanos);
        }

        @Override
        public @Nullable Thread mountedOn(Thread carrier) {
            Spell spell = at(carrier, nowNanos);
            return spell == null ? null : spell.thread;
        }

        @Override
        public long cpuNanos(Thread carrier) {
            Spell newest = newest(carrier, nowNanos);
            return newest == null
                    ? 0
                    : newest.cpuBeforeNanos
                            + Math.min(nowNanos, newest.endNanos)
                            - newest.beganNanos;
        }

        @Override
        public long queuedNanos(Thread carrier) {
            return -1;
        }

        @Override
        public @Nullable List<StackTraceElement> frames(Thread thread) {
            int line =
                    switch (stacks) {
                        case ONE -> 1;
                        case MANY -> (int) (nowNanos / (20 * MILLI) % 12);
                        case NONE -> 0;
                        case BY_LENGTH -> isShort(thread) ? 2 : 1;
                    };
            return line == 0
                    ? null
                    : List.of(
                            new StackTraceElement(
                                    null, null, null, "com.acme.Sum", "add", "Sum.java", line));
        }
    }
}
