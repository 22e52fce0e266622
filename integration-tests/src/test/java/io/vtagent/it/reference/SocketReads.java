package io.vtagent.it.reference;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Every thread asks over a connection of its own and waits for the answer, in a monitor. */
final class SocketReads implements Workload {
    private static final long MILLIS = 10;

    private final List<Socket> clients = new ArrayList<>();

    SocketReads(int threads, Duration limit) throws IOException {
        try (ServerSocket listening =
                new ServerSocket(0, threads, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < threads; i++) {
                clients.add(new Socket(listening.getInetAddress(), listening.getLocalPort()));
                Socket server = listening.accept();
                Thread.ofPlatform().start(() -> serve(server));
            }
        }
    }

    private static void serve(Socket client) {
        try (client) {
            while (client.getInputStream().read() >= 0) {
                Thread.sleep(MILLIS);
                client.getOutputStream().write(1);
            }
        } catch (IOException | InterruptedException failed) {
            throw new IllegalStateException(failed);
        }
    }

    @Override
    public void hold(int thread, int round) throws IOException {
        Socket socket = clients.get(thread);
        synchronized (socket) {
            socket.getOutputStream().write(1);
            if (socket.getInputStream().read() != 1) {
                throw new IllegalStateException("no answer");
            }
        }
    }

    @Override
    public void close() throws IOException {
        for (Socket client : clients) {
            client.close(); // which ends its server
        }
    }
}
