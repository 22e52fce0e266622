package io.vtagent.demo.blockingstyle;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.ArticleServer;
import io.vtagent.demo.workload.Load;
import java.net.InetSocketAddress;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadFactory;

/**
 * A page is fetched, the image that it names is fetched, and both are processed: as code that
 * blocks, on a virtual thread, and as a chain of stages, which never blocks. Both use the JDK's
 * HTTP client.
 */
public final class BlockingStyleDemo implements DemoCase {

    private static final String CHAIN = "chain";
    private static final String CHAIN_ON_VIRTUAL = "chain-on-virtual";
    private static final String BLOCKING = "blocking";
    private static final String BLOCKING_ON_PLATFORM = "blocking-on-platform";
    private static final String PAGES_PER_SECOND = "pages/s";

    /**
     * The JDK's server closes what is idle beyond 200 connections, and a client that is about to
     * ask on one of them fails.
     */
    private static final int AT_A_TIME = 150;

    private static final int THREADS = 8;

    @Override
    public String name() {
        return "blocking-style";
    }

    @Override
    public String shows() {
        return "Fetch a page, then its image, then process both: as blocking code on virtual"
                + " threads, and as a chain of CompletableFutures.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "Write simple blocking code: it benefits greatly from virtual threads, and"
                                + " asynchronous code does not."),
                Claim.of(
                        Article.EXPLORATION,
                        "Such code is also easier to debug and profile, or observe with thread"
                                + " dumps."));
    }

    @Override
    public String comparison() {
        return "On virtual threads both styles wait for the same server and reach about the same,"
                + " and the chain is no faster on virtual threads than on a few platform"
                + " threads; what virtual threads give is the throughput of a chain without one."
                + " Blocking code on eight platform threads does eight pages at a time. The"
                + " second claim can be counted: when the processing fails, the stack trace of"
                + " the blocking code goes back to who asked for the page; that of the chain has"
                + " the last stage, and beneath it the threads of the client. The common pool"
                + " has eight threads here. Where it would have one, as with two processors,"
                + " CompletableFuture on JDK 21 starts a platform thread for each stage of the"
                + " HTTP client instead, and the chain takes twice as long.";
    }

    @Override
    public String figure() {
        return PAGES_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                chain(CHAIN, "a chain of CompletableFutures on a pool of eight platform threads"),
                chain(CHAIN_ON_VIRTUAL, "the same on virtual threads"),
                Variant.of(BLOCKING, "blocking code on a virtual thread for each page"),
                Variant.of(BLOCKING_ON_PLATFORM, "blocking code on eight platform threads"));
    }

    private static Variant chain(String name, String what) {
        return Variant.of(name, what)
                .onJvm("-Djava.util.concurrent.ForkJoinPool.common.parallelism=" + THREADS);
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        boolean full = scale == Size.Scale.FULL;
        return variant.equals(BLOCKING_ON_PLATFORM)
                ? new Size(full ? 2_000 : 200, 20)
                : new Size(full ? 10_000 : 1_000, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        try (ArticleServer server = new ArticleServer(settings.latencyMillis());
                ExecutorService pool =
                        variant.equals(CHAIN_ON_VIRTUAL)
                                ? Executors.newVirtualThreadPerTaskExecutor()
                                : Executors.newFixedThreadPool(THREADS)) {
            Pages pages =
                    switch (variant) {
                        case BLOCKING ->
                                new Blocking(
                                        server.address(), Thread.ofVirtual().factory(), AT_A_TIME);
                        case BLOCKING_ON_PLATFORM ->
                                new Blocking(
                                        server.address(), Thread.ofPlatform().factory(), THREADS);
                        default -> new Chain(server.address(), pool);
                    };
            Load.warmUp(pages::page);
            pages.reset();
            double seconds = pages.run(settings.tasks());
            if (pages.processed() != settings.tasks()) {
                throw new IllegalStateException(
                        "processed " + pages.processed() + " of " + settings.tasks());
            }
            return Result.of(PAGES_PER_SECOND, settings.tasks() / seconds)
                    .with("own frames in the trace of a failure", pages.framesOfAFailure());
        }
    }

    private static final class Blocking extends Pages {

        private final ThreadFactory threads;
        private final int atATime;

        Blocking(InetSocketAddress server, ThreadFactory threads, int atATime) {
            super(server);
            this.threads = threads;
            this.atATime = atATime;
        }

        @Override
        void page(int number) throws Exception {
            String page = client.send(request("/pages/" + number), BodyHandlers.ofString()).body();
            byte[] image = client.send(request(imageIn(page)), BodyHandlers.ofByteArray()).body();
            process(page, image);
        }

        @Override
        double run(int pages) throws InterruptedException {
            return Load.run(threads, pages, atATime, this::page);
        }
    }

    private static final class Chain extends Pages {

        private final Executor pool;

        Chain(InetSocketAddress server, Executor pool) {
            super(server);
            this.pool = pool;
        }

        @Override
        void page(int number) {
            stages(number).join();
        }

        private CompletableFuture<Void> stages(int number) {
            return CompletableFuture.supplyAsync(() -> request("/pages/" + number), pool)
                    .thenCompose(request -> client.sendAsync(request, BodyHandlers.ofString()))
                    .thenCompose(
                            page ->
                                    client.sendAsync(
                                                    request(imageIn(page.body())),
                                                    BodyHandlers.ofByteArray())
                                            .thenAccept(
                                                    image -> process(page.body(), image.body())));
        }

        /** As many chains at a time, which are started one for one that has ended. */
        @Override
        double run(int pages) throws InterruptedException {
            return Load.runStages(pages, AT_A_TIME, this::stages);
        }
    }
}
