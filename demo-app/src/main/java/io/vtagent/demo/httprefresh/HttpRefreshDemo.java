package io.vtagent.demo.httprefresh;

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
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A client of a service that asks for a token: it gets one, uses it for some requests, and then for
 * another.
 *
 * <p>A thread that finds the token used up refreshes it over HTTP while it holds the lock, so that
 * the others do not do the same. The lock is right; its cost depends on the kind of lock. There are
 * many services, each with a client of its own, because with one service the refresh would be the
 * bottleneck in any case.
 */
public final class HttpRefreshDemo implements DemoCase {

    private static final int SERVICES = 50;
    private static final int REQUESTS_PER_TOKEN = 4;

    @Override
    public String name() {
        return "http-refresh";
    }

    @Override
    public String shows() {
        return "HTTP clients that refresh their token inside a synchronized method, against a"
                + " ReentrantLock.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "One of three pins that an audit found: a cached HTTP client with a"
                            + " synchronized refresh, which was replaced by a ReentrantLock; its"
                            + " code is not in the article."));
    }

    @Override
    public String comparison() {
        return "The article gives no figures for it. On JDK 21 the refresh holds a carrier for as"
                + " long as the service takes, and each thread that waits for the token another"
                + " one, so that requests with a valid token wait for a carrier too. From JDK 24"
                + " on (JEP 491) the variants are the same.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("pinned", "refreshes inside a synchronized method"),
                Variant.of("fixed", "refreshes with a ReentrantLock held"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(1_000, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        try (ArticleServer server = new ArticleServer(settings.latencyMillis())) {
            ArticleClient http = new ArticleClient(server.address());
            Load.warmUp(new Services(variant, http)::request);
            return Result.ofTasks(
                    settings.tasks(),
                    Load.run(
                            settings.tasks(),
                            settings.tasks(),
                            new Services(variant, http)::request));
        }
    }

    /** The services that are asked in turn. */
    private static final class Services {

        private final List<Client> clients = new ArrayList<>();

        Services(String variant, ArticleClient http) {
            for (int i = 0; i < SERVICES; i++) {
                clients.add(
                        variant.equals("pinned")
                                ? new SynchronizedClient(http)
                                : new LockingClient(http));
            }
        }

        void request(int number) throws IOException {
            clients.get(number % SERVICES).get("/orders/" + number);
        }
    }

    private abstract static class Client {

        private final ArticleClient http;
        private String token = "";
        private int requests;

        Client(ArticleClient http) {
            this.http = http;
        }

        final String get(String path) throws IOException {
            return http.get(path + "?token=" + token());
        }

        /** A token that is valid for one more request. */
        abstract String token() throws IOException;

        final String refreshed() throws IOException {
            if (requests++ % REQUESTS_PER_TOKEN == 0) {
                token = http.get("/tokens/" + requests).replace(' ', '+');
            }
            return token;
        }
    }

    private static final class SynchronizedClient extends Client {

        SynchronizedClient(ArticleClient http) {
            super(http);
        }

        @Override
        synchronized String token() throws IOException {
            return refreshed(); // up to JDK 23 this holds a carrier when it has to ask
        }
    }

    private static final class LockingClient extends Client {

        private final ReentrantLock lock = new ReentrantLock();

        LockingClient(ArticleClient http) {
            super(http);
        }

        @Override
        String token() throws IOException {
            lock.lock();
            try {
                return refreshed();
            } finally {
                lock.unlock();
            }
        }
    }
}
