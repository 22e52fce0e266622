package io.vtagent.bench.jmh;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;

/**
 * Monitors that two virtual threads want, on two carriers. Operations per microsecond. Where
 * monitors pin, every operation can be a pin that is recorded; where they do not, the agent still
 * records each {@code Object.wait}.
 */
@Fork(jvmArgsAppend = {"-Djmh.executor=VIRTUAL", "-Djdk.virtualThreadScheduler.parallelism=2"})
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HeldBenchmark {

    /** To the other thread and back by {@code wait} and {@code notify}. */
    @Benchmark
    public void waitAndNotify(Partner partner) throws InterruptedException {
        partner.serve();
    }

    /** Two threads enter one monitor and stay for some 100 ns. */
    @Benchmark
    @Threads(2)
    public int contended(Shared shared) {
        return shared.enter();
    }

    /** Returns each ball at once. */
    @State(Scope.Thread)
    public static class Partner {
        private boolean served;
        private boolean ended;
        private final Thread thread = Thread.ofVirtual().unstarted(this::play);

        synchronized void serve() throws InterruptedException {
            served = true;
            notifyAll();
            while (served) {
                wait();
            }
        }

        private synchronized void play() {
            try {
                while (!ended) {
                    if (served) {
                        served = false;
                        notifyAll();
                    } else {
                        wait();
                    }
                }
            } catch (InterruptedException nobodyDoes) {
                // ends
            }
        }

        @Setup
        public void start() {
            thread.start();
        }

        @TearDown
        public synchronized void end() {
            ended = true;
            notifyAll();
        }
    }

    /** The monitor that the threads contend for. */
    @State(Scope.Benchmark)
    public static class Shared {
        private static final int WORK = 100;

        private int value = 1;

        synchronized int enter() {
            for (int i = 0; i < WORK; i++) {
                value = value * 31 + i;
            }
            return value;
        }
    }
}
