package io.vtagent.demo.executors;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import java.util.List;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * The article's comparison: 10,000 requests that block for 300 ms, on a virtual thread each, and on
 * pools of platform threads.
 */
public final class ExecutorsDemo implements DemoCase {

    private static final String VIRTUAL = "virtual";
    private static final String POOL = "pool-";
    private static final String POOL_OF_VIRTUAL = VIRTUAL + '-' + POOL;
    private static final int REQUESTS = 10_000;

    /** The rounds of a pool in a quick run; its throughput is the same. */
    private static final int ROUNDS = 6;

    @Override
    public String name() {
        return "executors";
    }

    @Override
    public String shows() {
        return "10,000 tasks that block for 300 ms, on virtual threads, on pools of 200, 500, 800"
                + " and 1,000 platform threads, and on a pool of virtual threads.";
    }

    @Override
    public List<Claim> claims() {
        Claim claim =
                Claim.of(
                        Article.EXPLORATION,
                        "10,000 tasks take 437 ms on virtual threads (654, 331 and 326), and"
                                + " 15,549, 6,232, 4,056 and 3,138 ms on pools of 200, 500, 800 and"
                                + " 1,000.");
        return List.of(
                claim.with(VIRTUAL, perSecond(437))
                        .with(POOL + 200, perSecond(15_549))
                        .with(POOL + 500, perSecond(6_232))
                        .with(POOL + 800, perSecond(4_056))
                        .with(POOL + 1_000, perSecond(3_138)),
                Claim.of(
                        Article.EXPLORATION,
                        "Throughput is proportional to how many requests are processed at a time:"
                                + " 10 of 50 ms are 200 a second, 100 are 2,000."),
                Claim.of(
                        Article.EXPLORATION,
                        "Virtual threads should never be pooled; make a new one for each task."));
    }

    private static double perSecond(int millis) {
        return Math.round(REQUESTS / (millis / 1e3));
    }

    @Override
    public String comparison() {
        return "The pools are where the article has them: so many threads do so many tasks each 300"
                + " ms, less what it takes to start a thousand of them, which a run of six"
                + " rounds (without --full) shows. The virtual threads take 300 ms and what it"
                + " takes to start and end 10,000 of them, which is a matter of the cores and of"
                + " how warm the JVM is (the article had 20 processors, and its first round took"
                + " twice as long as the others). A pool of 200 virtual threads does what 200"
                + " platform threads do: pooling them brings back the limit that they are there"
                + " to remove.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of(VIRTUAL, "a virtual thread for each task"),
                pool(200),
                pool(500),
                pool(800),
                pool(1_000),
                Variant.of(POOL_OF_VIRTUAL + 200, "a pool of 200 virtual threads"));
    }

    private static Variant pool(int threads) {
        return Variant.of(POOL + threads, "a pool of %,d platform threads".formatted(threads));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        boolean all = variant.equals(VIRTUAL) || scale == Size.Scale.FULL;
        return new Size(all ? REQUESTS : ROUNDS * threads(variant), 300);
    }

    private static int threads(String variant) {
        return Integer.parseInt(variant.replaceFirst(".*-", ""));
    }

    @Override
    public Result run(String variant, Settings settings) {
        execute(executor(variant), settings.tasks() / 10, 1);
        long startedAtNanos = System.nanoTime();
        execute(executor(variant), settings.tasks(), settings.latencyMillis());
        double seconds = (System.nanoTime() - startedAtNanos) / 1e9;
        return Result.ofTasks(settings.tasks(), seconds).with("ms", seconds * 1e3);
    }

    private static ExecutorService executor(String variant) {
        if (variant.equals(VIRTUAL)) {
            return Executors.newVirtualThreadPerTaskExecutor();
        }
        Thread.Builder threads =
                variant.startsWith(POOL_OF_VIRTUAL) ? Thread.ofVirtual() : Thread.ofPlatform();
        return Executors.newFixedThreadPool(threads(variant), threads.factory());
    }

    @SuppressWarnings(
            "FutureReturnValueIgnored") // as in the article: closing the executor waits for them
    // all
    private static void execute(ExecutorService executor, int tasks, int millis) {
        try (executor) {
            for (int i = 0; i < tasks; i++) {
                executor.submit(() -> request(millis));
            }
        }
    }

    private static void request(int millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
