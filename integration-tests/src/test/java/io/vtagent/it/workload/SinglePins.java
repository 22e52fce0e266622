package io.vtagent.it.workload;

import java.lang.management.ManagementFactory;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;

/**
 * Makes the agent keep single pins, for its MXBean and for a test that the calling thread begins.
 */
public final class SinglePins {
    private static final int PAUSE_MILLIS = 10;

    private SinglePins() {}

    /** The agent's bean, for which it waits. It is there within a second. */
    public static ObjectName bean() throws InterruptedException, JMException {
        ObjectName agent = new ObjectName("io.vtagent:type=VtAgent");
        while (!ManagementFactory.getPlatformMBeanServer().isRegistered(agent)) {
            Thread.sleep(PAUSE_MILLIS);
        }
        return agent;
    }

    public static void keep() throws InterruptedException, JMException {
        ObjectName agent = bean();
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        server.invoke(agent, "keepPins", new Object[] {1_000}, new String[] {"int"});
        server.invoke(agent, "begin", new Object[0], new String[0]);
    }
}
