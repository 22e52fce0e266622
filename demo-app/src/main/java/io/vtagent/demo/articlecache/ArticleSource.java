package io.vtagent.demo.articlecache;

import java.io.IOException;

/** A source of articles for a task. */
interface ArticleSource {
    String fetchWithCache(String path) throws IOException;
}
