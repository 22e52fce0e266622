package io.vtagent.compatibility.launch;

import io.vtagent.compatibility.pins.Answer;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * {@code WAR FOLDER}: Tomcat with a web application, whose classes are loaded by Tomcat's own
 * loader.
 */
public final class WebServer {
    private WebServer() {}

    public static void main(String[] arguments) throws LifecycleException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.getProtocolHandler().setExecutor(Answer.executor());
        tomcat.addWebapp("", arguments[0]);
        tomcat.start();
        System.out.println("listening=" + connector.getLocalPort());
        tomcat.getServer().await();
    }
}
