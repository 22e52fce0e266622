package io.vtagent.record;

import io.vtagent.vm.StackHeadroom;
import org.jspecify.annotations.Nullable;

/** Counts pins by key. One thread at a time writes; any thread reads. */
final class Tallies {
    private final Buckets buckets;
    private final @Nullable Tally[] byKey = new @Nullable Tally[PinKey.COUNT];
    private final @Nullable Tally[] unattributed = new @Nullable Tally[PinKind.values().length];

    Tallies(Buckets buckets) {
        this.buckets = buckets;
    }

    /** Adds a pin. {@code site} is null if its stack was not walked. */
    void add(long durationNanos, PinKind kind, PinReason reason, boolean compensated, @Nullable Site site) {
        // both before either: if there is no memory for one of them, the sites would not add up to the total
        Tally total = tally(byKey, PinKey.index(kind, reason, compensated));
        Tally rest = site == null ? tally(unattributed, kind.ordinal()) : null;
        if (site != null) {
            // a site goes deeper than a tally, which could be had where the stack ends
            StackHeadroom.claim(StackHeadroom.TO_LEAVE);
        }
        total.add(durationNanos);
        if (rest != null) {
            rest.add(durationNanos);
        } else if (site != null) {
            site.add(durationNanos);
        }
    }

    private Tally tally(@Nullable Tally[] of, int index) {
        Tally tally = of[index];
        if (tally == null) {
            tally = new Tally(of == byKey ? buckets : Buckets.SINGLE);
            of[index] = tally;
        }
        return tally;
    }

    @Nullable
    Tally of(int key) {
        return byKey[key];
    }

    @Nullable
    Tally unattributed(PinKind kind) {
        return unattributed[kind.ordinal()];
    }
}
