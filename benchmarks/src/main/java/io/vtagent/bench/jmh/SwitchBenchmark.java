package io.vtagent.bench.jmh;

import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/**
 * The main work of virtual threads: they leave their carrier to each other. Operations per
 * microsecond, on one carrier, so that every operation takes the same switches.
 */
@Fork(jvmArgsAppend = {"-Djmh.executor=VIRTUAL", "-Djdk.virtualThreadScheduler.parallelism=1"})
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SwitchBenchmark {

    /** Gives the carrier up and has it back: one switch. */
    @Benchmark
    @SuppressWarnings("ThreadPriorityCheck") // the yield is what is measured
    public void yieldCarrier() {
        Thread.yield();
    }

    /** To the other thread and back by {@code LockSupport}: two switches. */
    @Benchmark
    public void parkAndUnpark(Partner partner) {
        partner.server = Thread.currentThread();
        partner.served = true;
        LockSupport.unpark(partner.thread);
        while (partner.served) {
            LockSupport.park();
        }
    }

    /** Hands an element over that another thread waits for. */
    @Benchmark
    public void synchronousQueue(SynchronousTaker taker) throws InterruptedException {
        taker.queue.put(taker);
    }

    /** Hands an element over through a queue of one place. */
    @Benchmark
    public void arrayBlockingQueue(BoundedTaker taker) throws InterruptedException {
        taker.queue.put(taker);
    }

    /** Returns each ball at once. */
    @State(Scope.Thread)
    public static class Partner {
        volatile boolean served;
        volatile @Nullable Thread server;
        private volatile boolean ended;
        private final Thread thread = Thread.ofVirtual().unstarted(this::play);

        private void play() {
            while (!ended) {
                if (served) {
                    served = false;
                    LockSupport.unpark(server);
                } else {
                    LockSupport.park();
                }
            }
        }

        @Setup
        public void start() {
            thread.start();
        }

        @TearDown
        public void end() {
            ended = true;
            LockSupport.unpark(thread);
        }
    }

    /** Takes whatever is in the queue. */
    @State(Scope.Thread)
    public abstract static class Taker {
        final BlockingQueue<Taker> queue;
        private final Thread thread = Thread.ofVirtual().unstarted(this::take);

        Taker(BlockingQueue<Taker> queue) {
            this.queue = queue;
        }

        private void take() {
            try {
                while (true) {
                    queue.take();
                }
            } catch (InterruptedException end) {
                // by end()
            }
        }

        @Setup
        public void start() {
            thread.start();
        }

        @TearDown
        public void end() {
            thread.interrupt();
        }
    }

    /** Takes from a {@link SynchronousQueue}. */
    public static class SynchronousTaker extends Taker {
        public SynchronousTaker() {
            super(new SynchronousQueue<>());
        }
    }

    /** Takes from an {@link ArrayBlockingQueue} of one place. */
    public static class BoundedTaker extends Taker {
        public BoundedTaker() {
            super(new ArrayBlockingQueue<>(1));
        }
    }
}
