package io.vtagent.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * One entry of an uncontended monitor, in nanoseconds. The monitor is a field of an object that JMH
 * keeps, so it cannot be elided, and JMH reads a volatile between two entries, so they cannot be
 * merged.
 *
 * <p>It runs on a platform thread by default; with {@code -jvmArgsAppend -Djmh.executor=VIRTUAL} on
 * a virtual one.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class MonitorBenchmark {
    private final Object monitor = new Object();
    private final Object inflated = new Object();
    private int value;

    /** Waits once on a monitor, which the JVM then gives an {@code ObjectMonitor} of its own. */
    @Setup
    @SuppressWarnings("WaitNotInLoop") // nothing is waited for
    public void inflate() throws InterruptedException {
        synchronized (inflated) {
            inflated.wait(1);
        }
    }

    /** The block. */
    @Benchmark
    public int block() {
        synchronized (monitor) {
            return ++value;
        }
    }

    /** The method. */
    @Benchmark
    public synchronized int method() {
        return ++value;
    }

    /** A block in a block of the same monitor: two entries. */
    @Benchmark
    public int reentered() {
        synchronized (monitor) {
            return again();
        }
    }

    private int again() {
        synchronized (monitor) {
            return ++value;
        }
    }

    /** A monitor that was waited on or contended before. */
    @Benchmark
    public int inflated() {
        synchronized (inflated) {
            return ++value;
        }
    }
}
