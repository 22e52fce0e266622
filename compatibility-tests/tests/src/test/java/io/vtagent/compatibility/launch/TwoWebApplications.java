package io.vtagent.compatibility.launch;

import io.vtagent.compatibility.pins.Answer;
import java.io.IOException;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import org.apache.catalina.Context;
import org.apache.catalina.LifecycleException;
import org.apache.catalina.connector.Connector;
import org.apache.catalina.startup.Tomcat;

/**
 * {@code WAR FOLDER}: Tomcat with the same web application twice, at {@code /one} and {@code /two},
 * each with its libraries in a class loader of its own. On a line on stdin the second is
 * undeployed, and it prints {@code collected} when its class loader is gone.
 */
public final class TwoWebApplications {
    /** The interval at which the garbage collector is asked again. */
    private static final long MAX_COLLECTION_MILLIS = 100;

    private TwoWebApplications() {}

    public static void main(String[] arguments)
            throws LifecycleException, IOException, InterruptedException {
        Tomcat tomcat = new Tomcat();
        tomcat.setBaseDir(arguments[1]);
        tomcat.setPort(0);
        Connector connector = tomcat.getConnector();
        connector.getProtocolHandler().setExecutor(Answer.executor());
        tomcat.addWebapp("/one", arguments[0]);
        Context two = tomcat.addWebapp("/two", arguments[0]);
        tomcat.start();
        ReferenceQueue<ClassLoader> collected = new ReferenceQueue<>();
        WeakReference<ClassLoader> loader =
                new WeakReference<>(two.getLoader().getClassLoader(), collected);
        System.out.println("listening=" + connector.getLocalPort());
        if (System.in.read() >= 0) {
            takeOut(tomcat, two);
            two = null;
            while (collected.remove(MAX_COLLECTION_MILLIS) != loader) {
                System.gc();
            }
            System.out.println("collected");
        }
        tomcat.getServer().await();
    }

    private static void takeOut(Tomcat tomcat, Context context) throws LifecycleException {
        context.stop();
        context.destroy();
        tomcat.getHost().removeChild(context);
    }
}
