package io.vtagent.it.workload;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.reflect.Method;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;

/**
 * {@code THREADS CARRIERS}: virtual threads that read a socket in a method which native code has
 * called, given {@code -Djdk.reflect.useNativeAccessorOnly=true}. When all carriers are held by
 * that, a platform thread writes to all of them.
 */
public final class NativeSocketReads {
    private final ServerSocket server;
    private final List<Socket> accepted = new ArrayList<>();

    private NativeSocketReads(ServerSocket server) {
        this.server = server;
    }

    public static void main(String[] arguments) throws Exception {
        int threads = Integer.parseInt(arguments[0]);
        WorkloadConsole.warmUp();
        try (ServerSocket server = new ServerSocket(0, threads, InetAddress.getLoopbackAddress())) {
            new NativeSocketReads(server).run(threads, Integer.parseInt(arguments[1]));
        }
        WorkloadConsole.done();
    }

    private void run(int threads, int carriers)
            throws ReflectiveOperationException, InterruptedException {
        Method read = NativeSocketReads.class.getDeclaredMethod("read", Socket.class);
        List<Thread> readers = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            Socket socket = connect();
            readers.addAll(Tasks.start(1, number -> read.invoke(null, socket)));
        }
        while (readers.stream().filter(reader -> reader.getState() == Thread.State.WAITING).count()
                < carriers) {
            Thread.onSpinWait();
        }
        for (Socket socket : accepted) {
            write(socket);
        }
        WorkloadConsole.printAndWait("written");
        Tasks.join(readers);
    }

    private Socket connect() {
        try {
            Socket socket = new Socket(server.getInetAddress(), server.getLocalPort());
            accepted.add(server.accept());
            return socket;
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    private static void write(Socket socket) {
        try (socket) {
            socket.getOutputStream().write(1);
        } catch (IOException failed) {
            throw new UncheckedIOException(failed);
        }
    }

    static void read(Socket socket) throws IOException {
        try (socket) {
            if (socket.getInputStream().read() != 1) {
                throw new IOException("somebody else answered");
            }
        }
    }
}
