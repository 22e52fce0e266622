package io.vtagent.usage;

import io.vtagent.scheduler.CarrierPool;

/**
 * The carriers that the scheduler lacks at one moment because of held ones.
 *
 * <p>The scheduler aims to keep {@code parallelism} carriers at work. If it compensates for a held
 * carrier, it first runs one fewer, down to {@code minRunnable}, and only then adds a spare one. A
 * carrier for which it compensates is not lost, with three exceptions: virtual threads are queued
 * that could run on it; no other carrier is left that could run anything; or fewer than {@code
 * minRunnable} are left or can be started, because the spare ones have ended. The scheduler does
 * not notice this: it starts carriers for new work only while fewer than {@code parallelism} exist
 * ({@code ForkJoinPool.signalWork}).
 *
 * @param parallelism carriers that the scheduler aims to keep at work
 * @param minRunnable carriers down to which it adds none
 * @param existing carriers that exist
 * @param atWork carriers that it counts as at work: held ones unless it compensates for them
 * @param idle carriers that sleep without a virtual thread
 * @param held carriers that are held
 * @param compensated how many of those are known to be compensated for
 * @param queued virtual threads that are ready to run and have no carrier
 */
record LostCarriers(
        int parallelism,
        int minRunnable,
        int existing,
        int atWork,
        int idle,
        int held,
        int compensated,
        long queued) {

    /** Reads the scheduler's figures now. */
    static LostCarriers of(CarrierPool pool, int held, int idle, int compensated) {
        return new LostCarriers(
                pool.parallelism(),
                pool.minRunnable(),
                pool.size(),
                pool.atWork(),
                idle,
                held,
                compensated,
                pool.queued());
    }

    /** Returns how many carriers are lost: from 0 to the parallelism. */
    int count() {
        if (held == 0) {
            return 0;
        }
        int compensatedFor = compensatedFor();
        int uncompensated = held - compensatedFor;
        int able = able();
        int lacking = Math.clamp(parallelism - able, 0, Math.min(held, parallelism));
        boolean isCompensationSpent =
                able == 0 || Math.max(existing, parallelism) - compensatedFor < minRunnable;
        return isCompensationSpent || queued > 0 ? lacking : Math.min(lacking, uncompensated);
    }

    /** Returns for how many held carriers the scheduler, or relief, compensates. */
    private int compensatedFor() {
        // relief compensates for carriers of which no hook reports that
        return Math.min(held, Math.max(compensated, existing - atWork - idle));
    }

    /** Returns how many carriers run virtual threads, or can be woken or made to do so. */
    int able() {
        int left = Math.max(existing - held, 0) + Math.max(parallelism - existing, 0);
        return Math.clamp(Math.max(atWork, parallelism) - (held - compensatedFor()), 0, left);
    }

    /**
     * Returns how many of the queued virtual threads are queued because carriers are lost. The
     * others wait for those that run other threads.
     */
    double queuedByHeld() {
        int lost = count();
        return lost == 0 ? 0 : (double) queued * lost / (lost + able());
    }
}
