package io.vtagent.demo.monitors;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Load;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.locks.ReentrantLock;

/**
 * The article's benchmark: a thousand virtual threads, each of which does 10 ms of I/O and computes
 * a little; with no lock, holding a lock, and holding a monitor.
 *
 * <p>The article's code has one lock for them all, so that one task runs after the other, whatever
 * the lock is. Its figures are those of a lock of its own for every task: then no thread waits for
 * a lock, and the limit is how many can be in the middle of their I/O at a time. With a monitor
 * that is one for each carrier.
 */
public final class MonitorsDemo implements DemoCase {

    private static final String NO_LOCK = "no-lock";
    private static final String LOCK_SHARED = "lock-shared";
    private static final String LOCK_OWN = "lock-own";
    private static final String SYNCHRONIZED_SHARED = "synchronized-shared";
    private static final String SYNCHRONIZED_OWN = "synchronized-own";
    private static final String RELIEVED = "synchronized-own-relieved";

    /** A round of 10 ms is too short to be measured once. */
    private static final double MIN_SECONDS = 1;

    @Override
    public String name() {
        return "monitors";
    }

    @Override
    public String shows() {
        return "1,000 virtual threads that do 10 ms of I/O each: with no lock, a ReentrantLock,"
                + " synchronized; one lock for all, or one each.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                                Article.PINNING,
                                "With 1,000 virtual threads of 10 ms I/O each on 8 cores: no lock"
                                    + " 92,000 tasks/s (about 1,000 at a time), ReentrantLock 8,500"
                                    + " (85), synchronized 780 (8). In the code that it shows, all"
                                    + " tasks share one lock.")
                        .with(NO_LOCK, 92_000)
                        .with(LOCK_SHARED, 8_500)
                        .with(LOCK_OWN, 8_500)
                        .with(SYNCHRONIZED_SHARED, 780)
                        .with(SYNCHRONIZED_OWN, 780));
    }

    @Override
    public String comparison() {
        return "Two of the three figures cannot come from the code that is shown. One lock around"
                + " 10 ms of I/O lets through 100 tasks/s at most, whatever the lock is, and"
                + " that is what the shared variants reach. 780 tasks/s is what eight carriers"
                + " reach on JDK 21 when every task has a monitor of its own. With a"
                + " ReentrantLock of its own a task is as fast as with none; no variant of it"
                + " gives 8,500. What no lock reaches is a matter of the cores, which have to"
                + " start and end 1,000 threads in 10 ms. From JDK 24 on (JEP 491) synchronized"
                + " does as well as the lock.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(SYNCHRONIZED_OWN, "synchronized, a monitor for each task"),
                Variant.of(LOCK_OWN, "a ReentrantLock for each task"),
                Variant.of(SYNCHRONIZED_SHARED, "synchronized, one monitor for all"),
                Variant.of(LOCK_SHARED, "one ReentrantLock for all"),
                Variant.of(NO_LOCK, "no lock"),
                Variant.of(
                                RELIEVED,
                                "synchronized, a monitor for each task, and the agent's relief=on")
                        .underAgent("relief=on"));
    }

    /** One task after the other: a thousand take ten seconds. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        boolean shared = variant.endsWith("-shared");
        return new Size(shared && scale == Size.Scale.QUICK ? 300 : 1_000, 10);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        Load.Task task = task(variant, settings);
        Load.warmUp(number -> io(0));
        long tasks = 0;
        double seconds = 0;
        while (seconds < MIN_SECONDS) {
            seconds += Load.run(settings.tasks(), settings.tasks(), task);
            tasks += settings.tasks();
        }
        Result result = Result.ofTasks(tasks, seconds);
        double atATime = result.figure(figure()) * settings.latencyMillis() / 1e3;
        return result.with("at a time", atATime);
    }

    private static Load.Task task(String variant, Settings settings) {
        int millis = settings.latencyMillis();
        // In arrays: the compiler elides a monitor that it can prove to be thread-local, and then
        // nothing pins.
        Object[] monitors = new Object[variant.endsWith("-shared") ? 1 : settings.tasks()];
        ReentrantLock[] locks = new ReentrantLock[monitors.length];
        Arrays.setAll(monitors, i -> new Object());
        Arrays.setAll(locks, i -> new ReentrantLock());
        return switch (variant) {
            case NO_LOCK -> number -> io(millis);
            case LOCK_OWN, LOCK_SHARED -> number -> locked(locks[number % locks.length], millis);
            default -> number -> inMonitor(monitors[number % monitors.length], millis);
        };
    }

    private static long inMonitor(Object monitor, int millis) throws InterruptedException {
        synchronized (monitor) {
            return io(millis); // up to JDK 23 this holds a carrier
        }
    }

    private static long locked(ReentrantLock lock, int millis) throws InterruptedException {
        lock.lock();
        try {
            return io(millis);
        } finally {
            lock.unlock();
        }
    }

    private static long io(int millis) throws InterruptedException {
        Thread.sleep(millis);
        long hash = 0;
        for (int i = 0; i < 1_000; i++) {
            hash ^= ThreadLocalRandom.current().nextLong();
        }
        return hash;
    }
}
