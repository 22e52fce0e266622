package io.vtagent.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * A connection to an endpoint that can be cut and restored, like a port-forward or a laptop's
 * network.
 */
final class CutConnection implements AutoCloseable {
    private final URI to;
    private final ServerSocket listener;
    private final Set<Socket> open = ConcurrentHashMap.newKeySet();
    private volatile boolean cut;

    CutConnection(URI to) throws IOException {
        this.to = to;
        listener = new ServerSocket(0, 0, InetAddress.getLoopbackAddress());
        Thread.ofPlatform().daemon().start(this::accept);
    }

    URI base() {
        return URI.create("http://127.0.0.1:" + listener.getLocalPort());
    }

    void cut(boolean nowCut) {
        cut = nowCut;
        if (nowCut) {
            open.forEach(CutConnection::close);
        }
    }

    private void accept() {
        while (!listener.isClosed()) {
            try {
                Socket from = listener.accept();
                if (cut) {
                    close(from);
                    continue;
                }
                Socket onwards = new Socket(to.getHost(), to.getPort());
                open.add(from);
                open.add(onwards);
                Thread.ofPlatform().daemon().start(() -> copy(from, onwards));
                Thread.ofPlatform().daemon().start(() -> copy(onwards, from));
            } catch (IOException closed) {
                // as it should
            }
        }
    }

    private void copy(Socket from, Socket onwards) {
        try (from;
                onwards) {
            from.getInputStream().transferTo(onwards.getOutputStream());
        } catch (IOException closed) {
            // by one of the two, or here
        }
        open.remove(from);
        open.remove(onwards);
    }

    private static void close(Socket socket) {
        try {
            socket.close();
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    @Override
    public void close() throws IOException {
        listener.close();
        cut(true);
    }
}
