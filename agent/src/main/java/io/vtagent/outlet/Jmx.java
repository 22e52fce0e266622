package io.vtagent.outlet;

import io.vtagent.jmx.Measured;
import io.vtagent.jmx.Registration;
import io.vtagent.log.AgentLog;
import io.vtagent.report.PinReport;
import io.vtagent.thread.AgentThread;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** The agent's MXBean: there within a second after somebody uses JMX in this JVM, or at once when the agent is attached. */
final class Jmx implements Outlet {
    private final Supplier<Measured> measured;
    private final boolean atOnce;
    private boolean toRegister =
            ModuleLayer.boot().findModule("java.management").isPresent();
    private @Nullable Registration registration;
    private boolean ended;

    /** @param atOnce whether the bean is wanted though nobody uses JMX yet */
    Jmx(Supplier<Measured> measured, boolean atOnce) {
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
    public void tell(PinReport report) {
        rest();
    }

    @Override
    public void rest() {
        if (toRegister && Registration.isServerThere()) {
            registerOnThread();
        }
    }

    /** To make the server takes its time, and those that listen to it are the application's. */
    private void registerOnThread() {
        if (toRegister) {
            AgentThread.start("vt-agent-jmx", this::makeBean);
            toRegister = false;
        }
    }

    private synchronized void makeBean() {
        if (ended) {
            return;
        }
        try {
            registration = new Registration(measured.get());
            AgentLog.debug("the MXBean is " + Registration.NAME);
        } catch (Exception | LinkageError refused) {
            AgentLog.error("there is no MXBean: " + refused);
            AgentLog.debug("the cause:", refused);
        }
    }

    @Override
    public synchronized void end() throws Exception {
        ended = true;
        if (registration != null) {
            registration.close();
        }
    }
}
