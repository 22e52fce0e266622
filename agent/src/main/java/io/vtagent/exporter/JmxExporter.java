package io.vtagent.exporter;

import io.vtagent.exporter.jmx.Measured;
import io.vtagent.exporter.jmx.Registration;
import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import io.vtagent.thread.AgentThread;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/**
 * Registers the agent's MXBean: within a second after the first use of JMX in this JVM, or at once
 * when the agent is attached.
 */
final class JmxExporter implements Exporter {
    private final Supplier<Measured> measured;
    private final boolean atOnce;
    private boolean toRegister = ModuleLayer.boot().findModule("java.management").isPresent();
    private @Nullable Registration registration;
    private boolean ended;

    /**
     * @param atOnce whether to register the bean even if JMX is not in use yet
     */
    JmxExporter(Supplier<Measured> measured, boolean atOnce) {
        this.measured = measured;
        this.atOnce = atOnce;
    }

    @Override
    public void begin() {
        if (atOnce) {
            registerOnThread();
        }
    }

    @Override
    public void publish(PinReport report) {
        onIdle();
    }

    @Override
    public void onIdle() {
        if (toRegister && Registration.isServerThere()) {
            registerOnThread();
        }
        Registration made = registration();
        if (made != null) {
            made.tidy();
        }
    }

    private synchronized @Nullable Registration registration() {
        return registration;
    }

    /**
     * Uses a separate thread, because creating the MBean server is slow and its listeners are the
     * application's code.
     */
    private void registerOnThread() {
        if (toRegister) {
            AgentThread.start("vt-agent-jmx", this::makeBean);
            toRegister = false;
        }
    }

    /** Registers without a lock, because a listener of the application may hang. */
    private void makeBean() {
        if (!mayMake()) {
            return;
        }
        try {
            Registration made = new Registration(measured.get());
            AgentLog.debug("the MXBean is " + Registration.NAME);
            if (!keep(made)) {
                made.close();
            }
        } catch (Exception | LinkageError refused) {
            AgentLog.error("there is no MXBean: " + refused);
            AgentLog.debug("the cause:", refused);
        }
    }

    private synchronized boolean mayMake() {
        return !ended;
    }

    /** Keeps {@code made} unless this exporter has ended; returns whether it was kept. */
    private synchronized boolean keep(Registration made) {
        if (!ended) {
            registration = made;
        }
        return !ended;
    }

    private synchronized @Nullable Registration takeToEnd() {
        ended = true;
        Registration made = registration;
        registration = null;
        return made;
    }

    @Override
    public void end() throws Exception {
        Registration made = takeToEnd();
        if (made != null) {
            made.close();
        }
    }
}
