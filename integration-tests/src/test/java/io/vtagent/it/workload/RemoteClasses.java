package io.vtagent.it.workload;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/**
 * {@code LOADERS}: virtual threads that each have a class loaded over HTTP by a loader of their
 * own, which the JVM calls. The server answers as soon as all of them have asked.
 */
public final class RemoteClasses {
    private RemoteClasses() {}

    /** A class to load. */
    public static final class Remote {}

    public static void main(String[] arguments) throws IOException, InterruptedException {
        int loaders = Integer.parseInt(arguments[0]);
        CountDownLatch asked = new CountDownLatch(loaders);
        HttpServer server =
                HttpServer.create(
                        new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), loaders);
        ExecutorService threads = Executors.newCachedThreadPool();
        server.setExecutor(threads);
        server.createContext(
                "/",
                exchange -> {
                    asked.countDown();
                    Waiting.forLatch(asked);
                    answer(exchange);
                });
        server.start();
        WorkloadConsole.warmUp();
        URL origin =
                URI.create(
                                "http://"
                                        + server.getAddress().getHostString()
                                        + ":"
                                        + server.getAddress().getPort()
                                        + "/")
                        .toURL();
        List<Thread> loading = Tasks.start(loaders, number -> load(origin));
        WorkloadConsole.printAndWait("begun");
        Tasks.join(loading);
        server.stop(0);
        threads.shutdown();
        WorkloadConsole.done();
    }

    private static void load(URL origin) throws ReflectiveOperationException, IOException {
        try (URLClassLoader loader = new URLClassLoader(new URL[] {origin}, null)) {
            Class<?> loaded = Class.forName(Remote.class.getName(), true, loader);
            if (loaded == Remote.class) {
                throw new IllegalStateException("it is not the server's");
            }
        }
    }

    private static void answer(HttpExchange exchange) throws IOException {
        try (exchange;
                InputStream in =
                        RemoteClasses.class.getResourceAsStream(
                                exchange.getRequestURI().getPath())) {
            byte[] bytes = in == null ? new byte[0] : in.readAllBytes();
            exchange.sendResponseHeaders(bytes.length == 0 ? 404 : 200, bytes.length);
            exchange.getResponseBody().write(bytes);
        }
    }
}
