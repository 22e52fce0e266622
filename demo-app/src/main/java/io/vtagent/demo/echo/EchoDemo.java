package io.vtagent.demo.echo;

import io.vtagent.demo.model.Article;
import io.vtagent.demo.model.Claim;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.workload.Carriers;
import io.vtagent.demo.workload.Descriptors;
import io.vtagent.demo.workload.SiblingJvm;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The article's server: a virtual thread for each connection, which sends back what it reads, and
 * notes on which carriers it did so. The clients are a process of their own, {@link EchoClients},
 * and all stay connected until the last has its answer.
 */
public final class EchoDemo implements DemoCase {

    private static final String CARRIERS = "carriers";

    /**
     * A client needs a local port for each connection to the same address and port, and Linux has
     * 28,000 of them.
     */
    private static final int CONNECTIONS_PER_PORT = 20_000;

    private static final int BACKLOG = 4_096;

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public String shows() {
        return "An echo server with a virtual thread for each of up to 100,000 connections: how"
                + " many carriers served them.";
    }

    @Override
    public List<Claim> claims() {
        return List.of(
                Claim.of(
                                Article.EXPLORATION,
                                "The server uses 19 platform threads, related to the number of"
                                    + " cores, for 100,000 connections (on 14 cores, 20 threads).")
                        .with("100000", 19));
    }

    @Override
    public String comparison() {
        return "The carriers are as many as the parallelism of the scheduler, which is 8 in these"
                + " runs and the number of processors by default, whatever the number of"
                + " connections. How many connections there can be is a matter of the"
                + " descriptors that the operating system gives a process, not of threads; a run"
                + " that reaches less says so.";
    }

    @Override
    public String figure() {
        return CARRIERS;
    }

    @Override
    public List<Variant> variants() {
        return List.of(connections(1_000), connections(10_000), connections(100_000));
    }

    private static Variant connections(int connections) {
        return Variant.of(Integer.toString(connections), "%,d connections".formatted(connections));
    }

    /** A task is a connection. */
    @Override
    public Size size(String variant, Size.Scale scale) {
        return new Size(Integer.parseInt(variant), 1);
    }

    @Override
    public Result run(String variant, Settings settings) throws Exception {
        int connections = Descriptors.enoughFor(settings.tasks());
        Carriers carriers = new Carriers();
        List<ServerSocket> servers = new ArrayList<>();
        try {
            for (int left = connections; left > 0; left -= CONNECTIONS_PER_PORT) {
                ServerSocket server =
                        new ServerSocket(0, BACKLOG, InetAddress.getLoopbackAddress());
                servers.add(server);
                Thread.ofPlatform().daemon().name("acceptor").start(() -> accept(server, carriers));
            }
            String ports =
                    servers.stream()
                            .map(server -> Integer.toString(server.getLocalPort()))
                            .collect(Collectors.joining(","));
            try (SiblingJvm clients = new SiblingJvm(EchoClients.class, ports, connections)) {
                Result theirs = clients.result();
                Result result =
                        Result.of(CARRIERS, carriers.count())
                                .with("connections", theirs.figure(EchoClients.ANSWERED))
                                .with(
                                        "connections/s",
                                        theirs.figure(EchoClients.ANSWERED)
                                                / theirs.figure(EchoClients.SECONDS));
                for (String failure : theirs.notes()) {
                    result = result.note("Not all connections: " + failure + '.');
                }
                return Descriptors.noted(result, settings.tasks());
            }
        } finally {
            for (ServerSocket server : servers) {
                server.close();
            }
        }
    }

    private static void accept(ServerSocket server, Carriers carriers) {
        Thread.Builder threads = Thread.ofVirtual().name("connection-", 0);
        try {
            while (true) {
                Socket connection = server.accept();
                threads.start(() -> echo(connection, carriers));
            }
        } catch (IOException closed) {
            // The run is over.
        }
    }

    private static void echo(Socket connection, Carriers carriers) {
        byte[] line = new byte[64];
        try (connection;
                InputStream in = connection.getInputStream();
                OutputStream out = connection.getOutputStream()) {
            for (int length = in.read(line); length >= 0; length = in.read(line)) {
                carriers.see();
                out.write(line, 0, length);
            }
        } catch (IOException gone) {
            // The client has gone.
        }
    }
}
