package io.vtagent.it.workload;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/** Has the agent keep single pins, for its MXBean and for a test that the calling thread begins. */
public final class SinglePins {
    private static final int PAUSE_MILLIS = 10;

    private SinglePins() {}

    /** Waits for the bean, which is there within a second. */
    public static void keep() throws InterruptedException, JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName agent = new ObjectName("io.vtagent:type=VtAgent");
        while (!server.isRegistered(agent)) {
            Thread.sleep(PAUSE_MILLIS);
        }
        server.invoke(agent, "keepPins", new Object[] {1_000}, new String[] {"int"});
        server.invoke(agent, "begin", new Object[0], new String[0]);
    }
}
