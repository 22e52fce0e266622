package io.vtagent.demo.articlecache;

import io.vtagent.demo.workload.ArticleClient;
import java.io.IOException;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.locks.ReentrantLock;

/**
 * A fixed {@link ArticleCache}: a thread that waits for the lock, or for the fetch while it has the
 * lock, unmounts.
 */
final class LockedArticleCache implements ArticleSource {

    private final ArticleClient client;
    private final ReentrantLock lock = new ReentrantLock();
    private final Map<String, String> articles = new HashMap<>();

    LockedArticleCache(ArticleClient client) {
        this.client = client;
    }

    @Override
    public String fetchWithCache(String path) throws IOException {
        lock.lock();
        try {
            String article = articles.get(path);
            if (article == null) {
                article = client.get(path);
                articles.put(path, article);
            }
            return article;
        } finally {
            lock.unlock();
        }
    }
}
