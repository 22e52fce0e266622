package io.vtagent.diagnosis;

import io.vtagent.scheduler.LiveThreads;
import java.util.Comparator;
import java.util.List;
import java.util.PriorityQueue;

/**
 * A random sample of threads of a limited size. Takes the threads with the smallest hashes of their
 * ids: with equal seeds, a thread of one sample is in the next one as well, unless threads with
 * smaller hashes have come. So it can be observed for how long a thread stays where it is. Not
 * thread-safe.
 */
final class ThreadSample {
    /** A thread and the container that it is in. */
    record Entry(Thread thread, LiveThreads.Container container, long hash) {}

    private final long seed;
    private final int max;

    /** The sample; the thread with the largest hash comes first. */
    private final PriorityQueue<Entry> heap =
            new PriorityQueue<>(Comparator.comparingLong(Entry::hash).reversed());

    private long offered;

    /**
     * @param max the maximum number of threads
     */
    ThreadSample(long seed, int max) {
        this.seed = seed;
        this.max = max;
    }

    void offer(Thread thread, LiveThreads.Container container) {
        offered++;
        long hash = hash(thread.threadId());
        Entry largest = heap.peek();
        if (heap.size() >= max) {
            if (largest == null || hash >= largest.hash) {
                return;
            }
            heap.remove();
        }
        heap.add(new Entry(thread, container, hash));
    }

    /** Returns the number of threads that were offered. */
    long offered() {
        return offered;
    }

    /** Returns the threads of the sample, in random order. */
    List<Entry> entries() {
        return heap.stream().sorted(Comparator.comparingLong(Entry::hash)).toList();
    }

    /** Mixes the bits as {@code java.util.SplittableRandom} does. */
    private long hash(long id) {
        long mixed = id * 0x9e3779b97f4a7c15L + seed;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }
}
