package io.vtagent.export;

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
 * The HTTP endpoint, on platform threads of its own, so that it answers when every carrier is held. It serves fixed paths and
 * reads nothing of a request but its method, path, query, {@code Host}, {@code Authorization}, {@code Accept} and {@code Accept-Encoding}.
 *
 * <p>Whatever it is sent, it takes no more than {@link #PLACES} connections at a time, each with a thread, a head of at most
 * {@link Exchange#MOST_HEAD_BYTES}, and one request; others wait in the kernel's queue. A peer that keeps it waiting too
 * long is closed: after a limit in any case, and as soon as all places are taken if it has waited for {@link #GRACE_NANOS}.
 */
public final class Endpoint implements AutoCloseable {
    static final int PLACES = 16;
    static final long GRACE_NANOS = 250_000_000;
    private static final int SWEEP_MILLIS = 100;
    private static final long PAUSE_NANOS = 100_000_000;
    private static final long IDLE_THREAD_SECONDS = 10;

    private static final int REHEARSAL_MILLIS = 5_000;

    private final ServerSocket listener;
    private final @Nullable String token;
    private final Pages pages;
    private final Semaphore places = new Semaphore(PLACES);
    private final Set<Exchange> exchanges = ConcurrentHashMap.newKeySet();
    private final ThreadPoolExecutor threads;

    /**
     * Starts to serve.
     *
     * @param listener bound; closed by {@link #close}. Where it is bound to a loopback address, only requests for names of this
     *     machine are answered
     * @param token what a request has to bring as its bearer token, null for nothing
     * @param routes by path; {@code /healthz} is the endpoint's own
     */
    public Endpoint(ServerSocket listener, @Nullable String token, Map<String, Route> routes) {
        this.listener = listener;
        this.token = token;
        pages = new Pages(new Guard(listener.getInetAddress(), token), routes);
        AtomicInteger number = new AtomicInteger();
        ThreadFactory own = task -> AgentThread.unstarted("vt-agent-http-" + number.getAndIncrement(), task);
        threads = new ThreadPoolExecutor(
                PLACES, PLACES, IDLE_THREAD_SECONDS, TimeUnit.SECONDS, new LinkedBlockingQueue<>(), own);
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
     * Asks itself for each page. A class that is first used while the heap is full, the JDK's among them, stays unusable for good
     * ({@code NoClassDefFoundError}).
     *
     * @throws IOException if it does not answer
     */
    public void rehearse() throws IOException {
        for (String path : pages.pathsToRehearse()) {
            InetAddress bound = listener.getInetAddress();
            try (Socket socket = new Socket()) {
                socket.setSoTimeout(REHEARSAL_MILLIS);
                InetAddress own = bound.isAnyLocalAddress() ? InetAddress.getLoopbackAddress() : bound;
                socket.connect(new InetSocketAddress(own, listener.getLocalPort()), REHEARSAL_MILLIS);
                String authorization = token == null ? "" : "Authorization: Bearer " + token + "\r\n";
                String request = "GET " + path + " HTTP/1.1\r\nHost: localhost\r\n" + authorization
                        + "Accept-Encoding: gzip\r\n\r\n";
                socket.getOutputStream().write(request.getBytes(StandardCharsets.US_ASCII));
                readToTheEnd(new BufferedInputStream(socket.getInputStream()));
            }
        }
    }

    /** Of events, which have no end, to that of the first. */
    private static void readToTheEnd(InputStream answer) throws IOException {
        int before = 0;
        for (int read = answer.read(); read >= 0 && (read != '\n' || before != '\n'); read = answer.read()) {
            before = read;
        }
    }

    private void acceptUntilClosed() {
        while (!listener.isClosed()) {
            try {
                accept();
            } catch (Throwable failure) {
                // no memory, no thread, no file descriptor, or an interrupt: there may be one later
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
                if (!taken) { // for want of memory or of a thread
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
