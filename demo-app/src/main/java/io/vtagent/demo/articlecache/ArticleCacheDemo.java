package io.vtagent.demo.articlecache;

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
import java.util.SplittableRandom;
import java.util.function.Function;
import java.util.stream.IntStream;

/**
 * Readers of a site: each gets an article from a cache, and then its comments, which are not
 * cached.
 *
 * <p>Every section of the site has a cache of its own, because a single lock would be the
 * bottleneck of both variants. In the fixed variant the sections wait for the server at the same
 * time. In the other one, no more sections wait than there are carriers, and the comments, which
 * need no lock at all, wait for a carrier.
 */
public final class ArticleCacheDemo implements DemoCase {

    private static final int SECTIONS = 50;
    private static final int ARTICLES_PER_SECTION = 10;

    /** Bounds the open sockets, two a reader; the default number of tasks is not touched by it. */
    private static final int READERS_AT_A_TIME = 1_000;

    @Override
    public String name() {
        return "article-cache";
    }

    @Override
    public String shows() {
        return "A cache that fetches over HTTP inside a synchronized method, against one with a"
                + " ReentrantLock.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                        Article.PINNING,
                        "A synchronized block that contains I/O turns virtual threads into platform"
                                + " threads. The method that is named when a thread is pinned:"
                                + " ArticleCache.fetchWithCache."));
    }

    @Override
    public String comparison() {
        return "The article gives no figures for it. On JDK 21 the agent names that method, at the"
                + " line of the fetch, and the readers wait for the eight carriers. From JDK 24"
                + " on (JEP 491) no carrier is held; what is left between the two variants there"
                + " is noise.";
    }

    @Override
    public String figure() {
        return Result.TASKS_PER_SECOND;
    }

    @Override
    public List<Variant> variants() {
        return List.of(
                Variant.of("pinned", "fetches inside a synchronized method"),
                Variant.of("fixed", "fetches with a ReentrantLock held"));
    }

    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(1_000, 20);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        try (ArticleServer server = new ArticleServer(settings.latencyMillis())) {
            ArticleClient client = new ArticleClient(server.address());
            Function<ArticleClient, ArticleSource> cache =
                    variant.equals("pinned") ? ArticleCache::new : LockedArticleCache::new;
            Load.warmUp(new Readers(cache, client)::read);
            double seconds =
                    Load.run(settings.tasks(), READERS_AT_A_TIME, new Readers(cache, client)::read);
            return Result.ofTasks(settings.tasks(), seconds);
        }
    }

    private record Readers(List<ArticleSource> sections, ArticleClient client) {

        Readers(Function<ArticleClient, ArticleSource> cache, ArticleClient client) {
            this(
                    IntStream.range(0, SECTIONS).mapToObj(section -> cache.apply(client)).toList(),
                    client);
        }

        /** Every reader chooses at random, but in every run the same. */
        void read(int number) throws IOException {
            SplittableRandom choice = new SplittableRandom(number);
            int section = choice.nextInt(SECTIONS);
            int article = choice.nextInt(ARTICLES_PER_SECTION);
            sections.get(section).fetchWithCache("/sections/" + section + "/articles/" + article);
            client.get("/comments/" + number);
        }
    }
}
