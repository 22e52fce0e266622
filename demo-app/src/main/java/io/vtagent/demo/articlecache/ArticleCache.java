package io.vtagent.demo.articlecache;

import io.vtagent.demo.workload.ArticleClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;

/**
 * A cache as it is often written: a thread that misses keeps the monitor while the article is
 * fetched.
 */
final class ArticleCache implements ArticleSource {

    private final ArticleClient client;
    private final Map<String, String> articles = new HashMap<>();

    ArticleCache(ArticleClient client) {
        this.client = client;
    }

    /**
     * Up to JDK 23 this holds a carrier for the fetch, and one more for each thread that waits to
     * enter.
     */
    @Override
    public synchronized String fetchWithCache(String path) throws IOException {
        String article = articles.get(path);
        if (article == null) {
            article = client.get(path);
            articles.put(path, article);
        }
        return article;
    }
}
