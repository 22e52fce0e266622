package shop;

import java.io.*;
import java.net.*;
import java.util.*;
import java.util.concurrent.locks.*;

class ArticleCache {
    private final Map<String, String> articles = new HashMap<>();
    private final Lock lock = new ReentrantLock();
    private final URI server;

    ArticleCache(URI server) {
        this.server = server;
    }

    String get(String path) throws IOException {
        lock.lock();
        try {
            String article = articles.get(path);
            if (article == null) {
                article = fetch(path);
                articles.put(path, article);
            }
            return article;
        } finally {
            lock.unlock();
        }
    }

    private String fetch(String path) throws IOException {
        try (InputStream in = server.resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes());
        }
    }
}
