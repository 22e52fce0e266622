package io.vtagent.exporter;

import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import org.jspecify.annotations.Nullable;

/**
 * Binds the endpoint's port and describes it in log lines. The port is bound before it is
 * announced, so that no other process can take it in between.
 */
final class EndpointSocket {
    /** The maximum number of connections that wait in the kernel. */
    private static final int BACKLOG = 64;

    private EndpointSocket() {}

    /**
     * Binds to the address and the port of the options, or to any free port if the default port is
     * taken. Returns null if the endpoint is off or cannot be opened.
     */
    static @Nullable ServerSocket open(AgentOptions options) {
        if (options.port().isEmpty()) {
            return null;
        }
        int port = options.port().getAsInt();
        try {
            return bound(options.bind().address(), port);
        } catch (IOException taken) {
            try {
                if (!options.portAsked()) {
                    return bound(options.bind().address(), 0);
                }
            } catch (IOException notThePort) {
                // reported below
            }
            AgentLog.error(cannot(options, taken) + "; there is no endpoint");
            return null;
        }
    }

    /** Returns why an endpoint with an explicitly set port cannot be opened; null if it can. */
    static @Nullable String refusal(AgentOptions options) {
        if (options.port().isEmpty() || !options.portAsked()) {
            return null;
        }
        try {
            bound(options.bind().address(), options.port().getAsInt()).close();
            return null;
        } catch (IOException taken) {
            return cannot(options, taken);
        }
    }

    private static String cannot(AgentOptions options, IOException why) {
        return "cannot listen on "
                + options.bind().address().getHostAddress()
                + ":"
                + options.port().orElse(0)
                + " ("
                + why.getMessage()
                + "), expected a free port on an address of this machine";
    }

    /** Returns the URL under which this machine reaches the endpoint, without a path. */
    static String url(ServerSocket listener) {
        InetAddress address = listener.getInetAddress();
        String host = address.isAnyLocalAddress() ? "127.0.0.1" : address.getHostAddress();
        return "http://"
                + (host.indexOf(':') < 0 ? host : "[" + host + "]")
                + ":"
                + listener.getLocalPort();
    }

    /** Returns the URL for the startup line. */
    static String inWords(ServerSocket listener, AgentOptions options) {
        int port = listener.getLocalPort();
        int wanted = options.port().orElse(0);
        return url(listener)
                + "/metrics"
                + (wanted == 0 || wanted == port ? "" : " (port " + wanted + " is taken)");
    }

    /** Logs what the endpoint exposes if it listens on an address that other machines can reach. */
    static void warn(ServerSocket listener, AgentOptions options) {
        if (listener.getInetAddress().isLoopbackAddress()) {
            return;
        }
        String where =
                "the endpoint listens on "
                        + listener.getInetAddress().getHostAddress()
                        + ":"
                        + listener.getLocalPort()
                        + ", which other machines can reach: any client ";
        String what = "the application's class, method and thread names, stacks and figures";
        AgentLog.info(
                options.token() == null
                        ? where
                                + "can read "
                                + what
                                + "; token= requires a token, bind=127.0.0.1 restricts it to this"
                                + " machine"
                        : where
                                + "with the token can read "
                                + what
                                + "; the token crosses the network in clear text, so put a TLS"
                                + " proxy in front");
    }

    /**
     * Binds a socket. The application may have set its own socket factory ({@code
     * ServerSocket.setSocketFactory}), which may throw anything.
     */
    private static ServerSocket bound(InetAddress address, int port) throws IOException {
        try {
            return boundUnlessRefused(address, port);
        } catch (VirtualMachineError passing) {
            throw passing;
        } catch (RuntimeException | Error refused) {
            throw new IOException(refused.toString(), refused);
        }
    }

    private static ServerSocket boundUnlessRefused(InetAddress address, int port)
            throws IOException {
        ServerSocket socket = new ServerSocket();
        try {
            socket.bind(new InetSocketAddress(address, port), BACKLOG);
            return socket;
        } catch (IOException | RuntimeException | Error refused) {
            socket.close();
            throw refused;
        }
    }
}
