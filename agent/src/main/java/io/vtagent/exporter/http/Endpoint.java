package io.vtagent.exporter.http;

import io.vtagent.thread.AgentThread;
import java.io.BufferedInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.util.Comparator;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;

/**
 * The HTTP endpoint. It runs on its own platform threads, so that it answers even when every
 * carrier is held. It serves fixed paths. It uses only the method, path, query, {@code Host},
 * {@code Authorization}, {@code Accept} and {@code Accept-Encoding} of a request.
 *
 * <p>It accepts at most {@link #PLACES} connections at a time; others wait in the kernel's queue.
 * Each connection has one thread, a head of at most {@link Exchange#MAX_HEAD_BYTES} and one
 * request. The endpoint closes a connection whose peer exceeds a time limit. When all places are
 * taken, it closes the connection whose peer has been waited for longest, if that is at least
 * {@link #GRACE_NANOS}.
 */
public final class Endpoint implements AutoCloseable {
    static final int PLACES = 16;
    static final long GRACE_NANOS = 250_000_000;
    private static final int SWEEP_MILLIS = 100;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final long IDLE_THREAD_SECONDS = 10;

    private static final int WARM_UP_MILLIS = 5_000;

    private final ServerSocket listener;
    private final @Nullable String token;
    private final Pages pages;
    private final Semaphore places = new Semaphore(PLACES);
    private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;

    /**
     * Starts to serve.
     *
     * @param listener a bound socket, which {@link #close} closes. If it is bound to a loopback
     *     address, only requests for names of this machine are answered
     * @param token the bearer token that a request must carry; null if none is needed
     * @param routes by path; {@code /healthz} is built in
     */
    public Endpoint(ServerSocket listener, @Nullable String token, Map<String, Route> routes) {
        this.listener = listener;
        this.token = token;
        pages = new Pages(new Guard(listener.getInetAddress(), token), routes);
        AtomicInteger number = new AtomicInteger();
        ThreadFactory own =
                task -> AgentThread.unstarted("vt-agent-http-" + number.getAndIncrement(), task);
        threads =
                new ThreadPoolExecutor(
                        PLACES,
                        PLACES,
                        IDLE_THREAD_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(),
                        own);
        threads.allowCoreThreadTimeOut(true);
        own.newThread(this::acceptUntilClosed).start();
    }

    @Override
    public void close() throws IOException {
        listener.close();
        threads.shutdown();
        exchanges.forEach(Exchange::close);
    }

    /**
     * Warms up by requesting each page. A class, including one of the JDK, that is first used while
     * the heap is full stays unusable ({@code NoClassDefFoundError}).
     *
     * @throws IOException if the endpoint does not answer
     */
    public void warmUp() throws IOException {
        for (String path : pages.pathsToWarmUp()) {
            InetAddress bound = listener.getInetAddress();
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(WARM_UP_MILLIS);
                InetAddress own =
                        bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
                socket.connect(new InetSocketAddress(own, listener.getLocalPort()), WARM_UP_MILLIS);
                String authorization =
                        token == null ? "" : "Authorization: Bearer " + token + "\r\n";
                String request =
                        "GET "
                                + path
                                + " HTTP/1.1\r\nHost: localhost\r\n"
                                + authorization
                                + "Accept-Encoding: gzip\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                readToTheEnd(new BufferedInputStream(socket.getInputStream()));
            }
        }
    }

    /**
     * Reads an answer to its end or, because a stream of events has no end, to the first empty
     * line.
     */
    private static void readToTheEnd(InputStream answer) throws IOException {
        int before = 0;
        for (int read = answer.read();
                read >= 0 && (read != '\n' || before != '\n');
                read = answer.read()) {
            before = read;
        }
    }

    private void acceptUntilClosed() {
        while (!listener.isClosed()) {
            try {
                accept();
            } catch (Throwable failure) {
                // out of memory, threads or file descriptors, or interrupted: a later try may
                // succeed
                Thread.interrupted();
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
    }

    private void accept() throws IOException, InterruptedException {
        if (!places.tryAcquire()) {
            do {
                closeSlowest();
            } while (!places.tryAcquire(SWEEP_MILLIS, TimeUnit.MILLISECONDS));
        }
        boolean taken = false;
        try {
            Socket socket = acceptSweeping();
            try {
                Exchange exchange = new Exchange(socket, pages);
                exchanges.add(exchange);
                threads.execute(() -> serve(exchange));
                taken = true;
            } finally {
                if (!taken) { // out of memory or threads
                    socket.close();
                    exchanges.removeIf(Exchange::isClosed);
                }
            }
        } finally {
            if (!taken) {
                places.release();
            }
        }
    }

    private Socket acceptSweeping() throws IOException {
        while (true) {
            try {
                listener.setSoTimeout(exchanges.isEmpty() ? 0 : SWEEP_MILLIS);
                return listener.accept();
            } catch (SocketTimeoutException nobodyYet) {
                closeOverdue();
            }
        }
    }

    private void serve(Exchange exchange) {
        try {
            exchange.run();
        } finally {
            exchanges.remove(exchange);
            places.release();
        }
    }

    private void closeOverdue() {
        long now = System.nanoTime();
        exchanges.stream().filter(exchange -> exchange.isOverdue(now)).forEach(Exchange::close);
    }

    private void closeSlowest() {
        long now = System.nanoTime();
        closeOverdue();
        exchanges.stream()
                .filter(exchange -> exchange.waitedNanos(now) >= GRACE_NANOS)
                .max(Comparator.comparingLong(exchange -> exchange.waitedNanos(now)))
                .ifPresent(Exchange::close);
    }
}
