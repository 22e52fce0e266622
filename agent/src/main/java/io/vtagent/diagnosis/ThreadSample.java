package io.vtagent.diagnosis;

import io.vtagent.scheduler.LiveThreads;
import java.util.ArrayList;
import java.util.List;

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
    private final Entry[] heap;
    private int size;
    private long offered;

    /**
     * @param max the maximum number of threads
     */
    ThreadSample(long seed, int max) {
        this.seed = seed;
        heap = new Entry[max];
    }

    void offer(Thread thread, LiveThreads.Container container) {
        offered++;
        long hash = hash(thread.threadId());
        if (size < heap.length) {
            heap[size] = new Entry(thread, container, hash);
            up(size++);
        } else if (size > 0 && hash < heap[0].hash) {
            heap[0] = new Entry(thread, container, hash);
            down();
        }
    }

    /** Returns the number of threads that were offered. */
    long offered() {
        return offered;
    }

    /** Returns the threads of the sample, in random order. */
    List<Entry> entries() {
        List<Entry> entries = new ArrayList<>(size);
        for (int i = 0; i < size; i++) {
            entries.add(heap[i]);
        }
        entries.sort((one, other) -> Long.compare(one.hash, other.hash));
        return entries;
    }

    /** Mixes the bits as {@code java.util.SplittableRandom} does. */
    private long hash(long id) {
        long mixed = id * 0x9e3779b97f4a7c15L + seed;
        mixed = (mixed ^ (mixed >>> 30)) * 0xbf58476d1ce4e5b9L;
        mixed = (mixed ^ (mixed >>> 27)) * 0x94d049bb133111ebL;
        return mixed ^ (mixed >>> 31);
    }

    private void up(int from) {
        int at = from;
        while (at > 0 && heap[at].hash > heap[(at - 1) / 2].hash) {
            swap(at, (at - 1) / 2);
            at = (at - 1) / 2;
        }
    }

    private void down() {
        int at = 0;
        while (2 * at + 1 < size) {
            int child = 2 * at + 1;
            if (child + 1 < size && heap[child + 1].hash > heap[child].hash) {
                child++;
            }
            if (heap[child].hash <= heap[at].hash) {
                return;
            }
            swap(at, child);
            at = child;
        }
    }

    private void swap(int one, int other) {
        Entry kept = heap[one];
        heap[one] = heap[other];
        heap[other] = kept;
    }
}
