package io.vtagent.it.workload;

import java.io.IOException;
import java.net.Authenticator;
import java.net.CookieHandler;
import java.net.PasswordAuthentication;
import java.net.Proxy;
import java.net.ProxySelector;
import java.net.SocketAddress;
import java.net.URI;
import java.net.URL;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * A program with a cookie handler, an authenticator, a proxy selector and stream handlers of its
 * own; it prints at the end which of them were asked.
 */
public final class OwnNetwork {
    private static final Set<String> ASKED = ConcurrentHashMap.newKeySet();

    private OwnNetwork() {}

    private static final class Cookies extends CookieHandler {
        @Override
        public Map<String, List<String>> get(URI uri, Map<String, List<String>> headers) {
            ASKED.add("cookies");
            return Map.of();
        }

        @Override
        public void put(URI uri, Map<String, List<String>> headers) {
            ASKED.add("cookies");
        }
    }

    private static final class Passwords extends Authenticator {
        @Override
        protected @Nullable PasswordAuthentication getPasswordAuthentication() {
            ASKED.add("passwords");
            return null;
        }
    }

    private static final class Proxies extends ProxySelector {
        @Override
        public List<Proxy> select(URI uri) {
            ASKED.add("proxies");
            return List.of(Proxy.NO_PROXY);
        }

        @Override
        public void connectFailed(URI uri, SocketAddress address, IOException failure) {
            ASKED.add("proxies");
        }
    }

    public static void main(String[] arguments) {
        CookieHandler.setDefault(new Cookies());
        Authenticator.setDefault(new Passwords());
        ProxySelector.setDefault(new Proxies());
        URL.setURLStreamHandlerFactory(
                protocol -> {
                    ASKED.add("protocol " + protocol);
                    return null;
                });
        ASKED.clear(); // what loading these asked
        WorkloadConsole.printAndWait("ready");
        WorkloadConsole.fact("asked", new TreeSet<>(ASKED));
        WorkloadConsole.fact("logging", System.getProperty(Logging.TRACE, "not initialized"));
        WorkloadConsole.done();
    }
}
