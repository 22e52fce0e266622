package io.vtagent.demo.web.servers;

import io.vtagent.demo.web.WebServer;
import jakarta.servlet.http.HttpServlet;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.logging.Level;
import java.util.logging.Logger;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;
import org.apache.coyote.http11.Http11NioProtocol;
import org.apache.tomcat.util.threads.VirtualThreadExecutor;

/**
 * An embedded Tomcat, whose requests run on a pool of platform threads, or on a virtual thread
 * each.
 */
public final class TomcatServer implements WebServer {

    private static final String NAME = "tomcat-";
    private static final String VIRTUAL = NAME + "virtual";
    private static final int MAX_CONNECTIONS = 20_000;
    private static final int BACKLOG = 4_096;
    private static final Logger LOGGER = Logger.getLogger("org.apache");

    private final Tomcat tomcat = new Tomcat();

    @Override
    public boolean serves(String variant) {
        return variant.startsWith(NAME);
    }

    @Override
    public int start(String variant, int latencyMillis) throws IOException, LifecycleException {
        LOGGER.setLevel(Level.WARNING);
        Path folder = Files.createTempDirectory("demo-tomcat");
        folder.toFile().deleteOnExit();
        tomcat.setBaseDir(folder.toString());
        Connector connector = new Connector();
        connector.setPort(0);
        Http11NioProtocol protocol = (Http11NioProtocol) connector.getProtocolHandler();
        protocol.setMaxConnections(MAX_CONNECTIONS);
        protocol.setAcceptCount(BACKLOG);
        protocol.setMaxKeepAliveRequests(-1);
        if (variant.equals(VIRTUAL)) {
            // as Spring Boot does it when spring.threads.virtual.enabled is true
            protocol.setExecutor(new VirtualThreadExecutor("tomcat-handler-"));
        } else {
            protocol.setMaxThreads(Integer.parseInt(variant.substring(NAME.length())));
        }
        tomcat.setConnector(connector);
        Context context = tomcat.addContext("", folder.toString());
        Tomcat.addServlet(context, "get", new BlockingServlet(latencyMillis));
        context.addServletMappingDecoded("/get", "get");
        tomcat.start();
        return connector.getLocalPort();
    }

    @Override
    public void stop() throws LifecycleException {
        tomcat.stop();
        tomcat.destroy();
    }

    private static final class BlockingServlet extends HttpServlet {

        private static final long serialVersionUID = 1;

        private final int latencyMillis;

        BlockingServlet(int latencyMillis) {
            this.latencyMillis = latencyMillis;
        }

        @Override
        protected void doGet(HttpServletRequest request, HttpServletResponse response)
                throws IOException {
            try {
                Thread.sleep(latencyMillis);
            } catch (InterruptedException stopped) {
                Thread.currentThread().interrupt();
            }
            response.setContentType("text/plain");
            response.getWriter().write(ANSWER);
        }
    }
}
