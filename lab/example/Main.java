package shop;

import com.sun.net.httpserver.HttpServer;
import java.net.*;
import java.util.concurrent.*;

class Main {
    public static void main(String[] args) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newFixedThreadPool(16));
        server.createContext("/", e -> {
            try { Thread.sleep(20); } catch (InterruptedException x) { }
            e.sendResponseHeaders(200, 2);
            e.getResponseBody().write(new byte[] {'o', 'k'});
            e.close();
        });
        server.start();
        ArticleCache cache = new ArticleCache(URI.create("http://127.0.0.1:" + server.getAddress().getPort()));
        try (var tasks = Executors.newVirtualThreadPerTaskExecutor()) {
            for (int i = 0; i < 120; i++) {
                String path = "/" + i % 40;
                tasks.submit(() -> cache.get(path));
            }
        }
        System.exit(0);
    }
}
