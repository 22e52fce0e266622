package io.vtagent.demo.mount;

import com.sun.management.OperatingSystemMXBean;
import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Carriers;
import io.vtagent.demo.workload.Load;
import java.lang.management.ManagementFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/**
 * Two threads play ball: each wakes the other and parks. With virtual threads on one carrier, every
 * stroke is one thread that unmounts and one that mounts; with platform threads it is a switch that
 * the operating system makes.
 */
public final class MountDemo implements DemoCase {

    private static final String VIRTUAL = "virtual";
    private static final String VIRTUAL_DEEP = "virtual-deep";
    private static final String VIRTUAL_MANY = "virtual-many";
    private static final String PLATFORM = "platform";
    private static final String PLATFORM_MANY = "platform-many";
    private static final String NANOS_PER_SWITCH = "ns a switch";
    private static final int MANY_GAMES = 100;
    private static final int DEEP = 1_000;
    private static final int SLEEPERS = 100;

    @Override
    public String name() {
        return "mount";
    }

    @Override
    public String shows() {
        return "What it costs when a virtual thread leaves its carrier to another, against a switch"
                + " between platform threads; and on which carrier a sleeper wakes up.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                                Article.PINNING,
                                "A mount and unmount takes 200 to 500 ns, a context switch of the"
                                    + " operating system 5,000 to 15,000, 10 to 30 times as much.")
                        .with(VIRTUAL, 200, 500)
                        .with(VIRTUAL_MANY, 200, 500)
                        .with(PLATFORM, 5_000, 15_000)
                        .with(PLATFORM_MANY, 5_000, 15_000),
                Claim.of(
                        Article.PINNING,
                        "Stack frames of a thread that is mounted are loaded by updates of"
                                + " pointers, not by copies of memory."),
                Claim.of(
                        Article.PINNING,
                        "After a sleep a virtual thread may be on another carrier than before."));
    }

    @Override
    public String comparison() {
        return "On one carrier, unmounting and mounting is of the order that the article gives,"
                + " with the park and unpark around it and the agent in the figure (any agent"
                + " costs something here, see docs/overhead.md); with more carriers than"
                + " processors, and 100 games that they take from each other, it is two or three"
                + " times as much. A switch between platform threads is dearer, but by how much"
                + " varies with the machine and with what else it does: with one game on two"
                + " processors nothing has to be switched, the partner only has to be woken;"
                + " with many it is the processor time that counts. The article does not say how"
                + " it measured. How deep the stack is hardly matters, but not since nothing is"
                + " copied: HotSpot copies frames, those that run, and others when they are"
                + " returned to (continuationFreezeThaw.cpp). After a sleep a thread nearly"
                + " always is on another carrier, where others are busy.";
    }

    @Override
    public String figure() {
        return NANOS_PER_SWITCH;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(VIRTUAL, "one game of two virtual threads, on one carrier")
                        .onCarriers(1, 1),
                Variant.of(VIRTUAL_DEEP, "the same, " + DEEP + " frames deep").onCarriers(1, 1),
                Variant.of(VIRTUAL_MANY, "100 games at a time on all carriers; processor time"),
                Variant.of(PLATFORM, "one game of two platform threads"),
                Variant.of(
                        PLATFORM_MANY, "100 games at a time of platform threads; processor time"));
    }

    /** A task is a stroke. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(variant.startsWith(PLATFORM) ? 100_000 : 1_000_000, 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Thread.Builder threads =
                variant.startsWith(PLATFORM) ? Thread.ofPlatform() : Thread.ofVirtual();
        int games = variant.endsWith("-many") ? MANY_GAMES : 1;
        int depth = variant.equals(VIRTUAL_DEEP) ? DEEP : 0;
        play(games, settings.tasks() / 2, depth, threads);
        long usedNanos = usedNanos();
        double nanos = play(games, settings.tasks(), depth, threads) * 1e9;
        // One game keeps one CPU busy at a time, many games all that there are.
        Result result =
                Result.of(
                        NANOS_PER_SWITCH,
                        (games == 1 ? nanos : usedNanos() - usedNanos) / settings.tasks());
        return variant.equals(VIRTUAL_MANY) ? afterSleep(result, settings.latencyMillis()) : result;
    }

    private static long usedNanos() {
        return ManagementFactory.getPlatformMXBean(OperatingSystemMXBean.class).getProcessCpuTime();
    }

    /**
     * The article's program, many times: on which carrier is a virtual thread before it sleeps, and
     * on which after?
     */
    private static Result afterSleep(Result result, int millis) throws InterruptedException {
        AtomicInteger moved = new AtomicInteger();
        Load.Task program =
                number -> {
                    String before = Carriers.current();
                    Thread.sleep(millis);
                    moved.addAndGet(before.equals(Carriers.current()) ? 0 : 1);
                };
        Load.run(SLEEPERS, SLEEPERS, program);
        return result.with("on another carrier after a sleep, %", 100.0 * moved.get() / SLEEPERS);
    }

    private static double play(int games, int strokes, int depth, Thread.Builder threads)
            throws InterruptedException {
        List<Thread> players = new ArrayList<>();
        for (int i = 0; i < games; i++) {
            players.addAll(new Game(strokes / games, depth).players(threads));
        }
        long startedAtNanos = System.nanoTime();
        players.forEach(Thread::start);
        for (Thread player : players) {
            player.join();
        }
        return (System.nanoTime() - startedAtNanos) / 1e9;
    }

    /** A game with a ball, which is on one side or the other. */
    private static final class Game {

        private final int strokes;
        private final int depth;
        private volatile int stroke;

        Game(int strokes, int depth) {
            this.strokes = strokes;
            this.depth = depth;
        }

        List<Thread> players(Thread.Builder threads) {
            Thread[] players = new Thread[2];
            players[0] = threads.unstarted(() -> play(0, players, depth));
            players[1] = threads.unstarted(() -> play(1, players, depth));
            return List.of(players);
        }

        @SuppressWarnings("NonAtomicVolatileUpdate") // only the side that has the ball
        private void play(int side, Thread[] players, int deeper) {
            if (deeper > 0) {
                play(side, players, deeper - 1);
                return;
            }
            while (stroke < strokes) {
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
}
