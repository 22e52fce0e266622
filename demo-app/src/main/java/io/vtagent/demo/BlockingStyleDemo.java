package io.vtagent.demo;

import java.net.InetSocketAddress;
import java.net.http.HttpResponse.BodyHandlers;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * A page is fetched, the image that it names is fetched, and both are processed: as code that blocks, on a virtual thread, and as
 * a chain of stages, which never blocks. Both use the JDK's HTTP client.
 */
final class BlockingStyleDemo implements DemoCase {

    private static final String BLOCKING = "blocking";
    private static final String PAGES_PER_SECOND = "pages/s";

    /** The JDK's server closes what is idle beyond 200 connections, and a client that is about to ask on one of them fails. */
    private static final int AT_A_TIME = 150;

    @Override
    public String name() {
        return "blocking-style";
    }

    @Override
    public String shows() {
        return "Fetch a page, then its image, then process both: as blocking code on virtual threads, and as a chain of"
                + " CompletableFutures.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "Write simple blocking code: it benefits greatly from virtual threads, and asynchronous code does not."),
                Claim.of(
                        Article.EXPLORATION,
                        "Such code is also easier to debug and profile, or observe with thread dumps."));
    }

    @Override
    public String comparison() {
        return "Both styles wait for the same server and reach about the same; what virtual threads give is not a faster chain, but"
                + " the same throughput without one. The second claim can be counted: when the processing fails, the stack trace"
                + " of the blocking code goes back to who asked for the page; that of the chain has the last stage, and"
                + " beneath it the threads of the client. The common pool has eight threads here. Where it would have one, as with two"
                + " processors, CompletableFuture on JDK 21 starts a platform thread for each stage of the HTTP client instead, and"
                + " the chain takes twice as long.";
    }

    @Override
    public String figure() {
        return PAGES_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("chain", "a chain of CompletableFutures on a pool of eight")
                        .onJvm("-Djava.util.concurrent.ForkJoinPool.common.parallelism=8"),
                Variant.of(BLOCKING, "blocking code on a virtual thread for each page"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(scale == Size.Scale.FULL ? 10_000 : 2_000, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        try (ArticleServer server = new ArticleServer(settings.latencyMillis());
                ExecutorService pool = Executors.newFixedThreadPool(8)) {
            Pages pages = variant.equals(BLOCKING) ? new Blocking(server.address()) : new Chain(server.address(), pool);
            Load.warmUp(pages::page);
            pages.reset();
            double seconds = pages.run(settings.tasks());
            if (pages.processed() != settings.tasks()) {
                throw new IllegalStateException("processed " + pages.processed() + " of " + settings.tasks());
            }
            return Result.of(PAGES_PER_SECOND, settings.tasks() / seconds)
                    .with("own frames in the trace of a failure", pages.framesOfAFailure());
        }
    }

    private static final class Blocking extends Pages {

        Blocking(InetSocketAddress server) {
            super(server);
        }

        @Override
        void page(int number) throws Exception {
            String page = client.send(request("/pages/" + number), BodyHandlers.ofString())
                    .body();
            byte[] image = client.send(request(imageIn(page)), BodyHandlers.ofByteArray())
                    .body();
            process(page, image);
        }

        @Override
        double run(int pages) throws InterruptedException {
            return Load.run(pages, AT_A_TIME, this::page);
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
                    .thenCompose(page -> client.sendAsync(request(imageIn(page.body())), BodyHandlers.ofByteArray())
                            .thenAccept(image -> process(page.body(), image.body())));
        }

        /** As many chains at a time, which are started one for one that has ended. */
        @Override
        double run(int pages) throws InterruptedException {
            return Load.runStages(pages, AT_A_TIME, this::stages);
        }
    }
}
