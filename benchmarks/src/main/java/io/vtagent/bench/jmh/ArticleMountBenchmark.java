package io.vtagent.bench.jmh;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Nanoseconds that it takes from one thread to the next, for the demo's case {@code mount}: two
 * virtual threads on one carrier, one of which unmounts and one mounts, or two platform threads,
 * between which the operating system switches. The article has 200 to 500 and 5,000 to 15,000.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 3)
@Measurement(iterations = 5, time = 5)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-Djdk.virtualThreadScheduler.parallelism=1",
            "-Djdk.virtualThreadScheduler.maxPoolSize=1"
        })
public class ArticleMountBenchmark {
    private static final int STROKES = 10_000;

    /** The kind of the threads. */
    public enum Kind {
        VIRTUAL,
        PLATFORM
    }

    @Param public Kind kind = Kind.VIRTUAL;

    private volatile int stroke;

    @Benchmark
    @OperationsPerInvocation(STROKES)
    public int parkAndUnpark() throws InterruptedException {
        Thread.Builder threads = kind == Kind.VIRTUAL ? Thread.ofVirtual() : Thread.ofPlatform();
        stroke = 0;
        Thread[] players = new Thread[2];
        players[0] = threads.unstarted(() -> play(0, players));
        players[1] = threads.unstarted(() -> play(1, players));
        for (Thread player : players) {
            player.start();
        }
        for (Thread player : players) {
            player.join();
        }
        return stroke;
    }

    /** Hands the turn over and parks, if it is this side's turn. */
    @SuppressWarnings("NonAtomicVolatileUpdate") // only the side whose turn it is
    private void play(int side, Thread[] players) {
        while (stroke < STROKES) {
            if (stroke % 2 == side) {
                stroke++;
                LockSupport.unpark(players[1 - side]);
            } else {
                LockSupport.park();
            }
        }
        LockSupport.unpark(players[1 - side]);
    }
}
