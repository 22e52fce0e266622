package io.vtagent.exporter.jmx;

import java.lang.management.ManagementFactory;
import java.lang.reflect.Method;
import javax.management.JMException;
import javax.management.MBeanAttributeInfo;
import javax.management.MBeanInfo;
import javax.management.MBeanOperationInfo;
import javax.management.MBeanParameterInfo;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.StandardMBean;

/** The agent's MXBean in the platform's MBean server. */
public final class Registration implements AutoCloseable {
    /** The name of the bean. */
    public static final String NAME = "io.vtagent:type=VtAgent";

    private final VtAgentBean bean;

    /**
     * Returns whether the application uses JMX: the platform's server, which costs 0.2 s, is not
     * created for the agent. The check loads one class.
     *
     * @throws LinkageError if this JVM runs without the module java.management
     */
    public static boolean isServerThere() {
        return !MBeanServerFactory.findMBeanServer(null).isEmpty();
    }

    /**
     * Registers the bean. Makes the server if there is none.
     *
     * @throws JMException if the server refuses it
     */
    public Registration(Measured measured) throws JMException {
        bean = new VtAgentBean(measured);
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        server.registerMBean(new Described(bean), new ObjectName(NAME));
    }

    /** Forgets what no client has asked for in a while. Called from time to time. */
    public void tidy() {
        bean.tidy();
    }

    @Override
    public void close() throws JMException {
        bean.close();
        ManagementFactory.getPlatformMBeanServer().unregisterMBean(new ObjectName(NAME));
    }

    /** A bean with the descriptions of the interface. */
    private static final class Described extends StandardMBean {
        Described(VtAgentMXBean bean) {
            super(bean, VtAgentMXBean.class, true);
        }

        @Override
        protected String getDescription(MBeanInfo info) {
            return "How long carriers of virtual threads are held, by which code, and why";
        }

        @Override
        protected String getDescription(MBeanAttributeInfo info) {
            return of((info.isIs() ? "is" : "get") + info.getName());
        }

        @Override
        protected String getDescription(MBeanOperationInfo info) {
            return of(info.getName());
        }

        @Override
        protected String getParameterName(
                MBeanOperationInfo operation, MBeanParameterInfo parameter, int sequence) {
            return switch (operation.getName()) {
                case "report" -> "format";
                case "keepPins" -> "most";
                case "pinsOf", "end" -> "test";
                default -> "mark";
            };
        }

        @Override
        protected int getImpact(MBeanOperationInfo info) {
            return switch (info.getName()) {
                case "report", "diagnosis", "since", "pinsOf" -> MBeanOperationInfo.INFO;
                default -> MBeanOperationInfo.ACTION;
            };
        }

        private static String of(String name) {
            for (Method method : VtAgentMXBean.class.getMethods()) {
                MBeanDescription description = method.getAnnotation(MBeanDescription.class);
                if (description != null && method.getName().equals(name)) {
                    return description.value();
                }
            }
            return name;
        }
    }
}
