package shop;

import java.io.*;
import java.net.*;
import java.util.*;

class ArticleCache {
    private final Map<String, String> articles = new HashMap<>();
    private final URI server;

    ArticleCache(URI server) {
        this.server = server;
    }

    synchronized String get(String path) throws IOException {
        String article = articles.get(path);
        if (article == null) {
            article = fetch(path);
            articles.put(path, article);
        }
        return article;
    }

    private String fetch(String path) throws IOException {
        try (InputStream in = server.resolve(path).toURL().openStream()) {
            return new String(in.readAllBytes());
        }
    }
}
