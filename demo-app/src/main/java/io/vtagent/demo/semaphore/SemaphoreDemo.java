package io.vtagent.demo.semaphore;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.ArticleClient;
import io.vtagent.demo.workload.ArticleServer;
import io.vtagent.demo.workload.Load;
import java.io.IOException;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * A service that stands ten requests at a time and refuses more. A pool of ten platform threads
 * kept to that without a word about it; virtual threads, of which there are as many as tasks, need
 * a semaphore.
 */
public final class SemaphoreDemo implements DemoCase {

    private static final int STANDS = 10;
    private static final String ANSWERED = "answered, %";

    @Override
    public String name() {
        return "semaphore";
    }

    @Override
    public String shows() {
        return "A service that stands ten requests at a time, called from many virtual threads with"
                + " a Semaphore(10) and without.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.EXPLORATION,
                        "Some services cannot handle more than ten requests at a time. With virtual"
                                + " threads, limit them by a Semaphore rather than by the size of a"
                                + " pool."));
    }

    @Override
    public String comparison() {
        return "So it is, on both JDKs: with the semaphore the service answers every request,"
                + " without it only the first few of those that come at once. Waiting for a"
                + " permit holds no carrier.";
    }

    @Override
    public String figure() {
        return ANSWERED;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("without", "every task calls the service at once"),
                Variant.of("with", "every task acquires a permit of ten before"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(500, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        try (ArticleServer service = new ArticleServer(settings.latencyMillis(), STANDS)) {
            ArticleClient client = new ArticleClient(service.address());
            Load.warmUp(new Caller(client, new Semaphore(STANDS))::call);
            Caller caller =
                    new Caller(
                            client,
                            new Semaphore(variant.equals("with") ? STANDS : settings.tasks()));
            double seconds = Load.run(settings.tasks(), settings.tasks(), caller::call);
            return Result.of(ANSWERED, 100.0 * caller.answered.get() / settings.tasks())
                    .with("most at a time", caller.most.get())
                    .with("s", seconds);
        }
    }

    private static final class Caller {

        private final ArticleClient client;
        private final Semaphore permits;
        private final AtomicInteger answered = new AtomicInteger();
        private final AtomicInteger calling = new AtomicInteger();
        private final AtomicInteger most = new AtomicInteger();

        Caller(ArticleClient client, Semaphore permits) {
            this.client = client;
            this.permits = permits;
        }

        void call(int number) throws InterruptedException {
            permits.acquire();
            most.accumulateAndGet(calling.incrementAndGet(), Math::max);
            try {
                client.get("/orders/" + number);
                answered.incrementAndGet();
            } catch (IOException refused) {
                // It could not stand one more; that is what is counted.
            } finally {
                calling.decrementAndGet();
                permits.release();
            }
        }
    }
}
