package io.vtagent.junit;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.management.ManagementFactory;
import java.util.Map;
import javax.management.JMException;
import javax.management.MBeanServer;
import javax.management.ObjectName;
import org.junit.jupiter.api.Test;

class AgentBeanTest {
    private static final int SAMPLES = 3;

    /** The part of the agent's bean that is used before the first test. */
    public interface AgentMXBean {
        boolean isMonitorsPin();

        Map<String, String> getSensors();
    }

    private static final class Agent implements AgentMXBean {
        private int samples;

        @Override
        public boolean isMonitorsPin() {
            return true;
        }

        @Override
        public Map<String, String> getSensors() {
            samples++;
            return Map.of(
                    "vm", "has not begun", "park", samples < SAMPLES ? "not proved yet" : "up");
        }
    }

    @Test
    void anAgentIsReadyWhenItsSensorsAreProved() throws JMException {
        MBeanServer server = ManagementFactory.getPlatformMBeanServer();
        ObjectName name = new ObjectName("io.vtagent:type=VtAgent");
        Agent agent = new Agent();
        server.registerMBean(agent, name);
        try {
            assertThat(AgentBean.get().monitorsPin()).isTrue();
            assertThat(agent.samples).isEqualTo(SAMPLES);
        } finally {
            server.unregisterMBean(name);
        }
    }
}
