package io.vtagent.demo.articlecache;

import java.io.IOException;

/** Where a task gets its articles. */
interface ArticleSource {
    String fetchWithCache(String path) throws IOException;
}
