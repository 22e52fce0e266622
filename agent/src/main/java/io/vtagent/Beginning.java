package io.vtagent;

import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.ReportTarget;
import io.vtagent.outlet.AtExit;
import io.vtagent.outlet.EarlyReport;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.record.FirstCarrier;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Shutdown;
import io.vtagent.vm.CarrierPool;
import java.io.FilePermission;
import java.lang.instrument.Instrumentation;
import org.jspecify.annotations.Nullable;

/**
 * Begins the agent. Before {@code main} the sensors are put into their places; the rest is done beside the application, which waits for it
 * when it makes its first carrier. So a JVM without virtual threads need not wait, and may be over before the agent has begun. Can be linked only after the
 * probe is defined.
 */
final class Beginning {
    /** The application does not wait longer at its first carrier, whatever keeps the agent from beginning. */
    private static final long LONGEST_NANOS = 5_000_000_000L;

    private final AgentOptions options;
    private final Installer installer;
    private final boolean running;
    private final long beganNanos;
    private final AtExit atExit = new AtExit();
    private final FirstCarrier first = new FirstCarrier(LONGEST_NANOS);

    /** @param running whether the application runs already */
    Beginning(AgentOptions options, Instrumentation instrumentation, boolean running, long beganNanos) {
        this.options = options;
        installer = new Installer(instrumentation);
        this.running = running;
        this.beganNanos = beganNanos;
    }

    /** Has {@code agent} run, now or soon. If this fails the JVM is as before. */
    void of(RunningAgent agent) {
        try {
            Installation installation = installer.install(
                    options.relief() > 0, options.wrapSynchronized(), options.include(), options.exclude(), running);
            VtAgentProbe.report(first); // before it is asked whether there are carriers
            CarrierPool.Found scheduler = installation.carriers() ? CarrierPool.find() : null;
            if (running || isAwaited(scheduler)) {
                first.begun();
                agent.runs(assemble(installation, scheduler), options);
            } else {
                if (options.report().place() != ReportTarget.Place.OFF) {
                    atExit.becomes(new EarlyReport(installation, first::isUnseen));
                }
                AgentThread.start("vt-agent-start", () -> beside(agent, installation, scheduler));
            }
        } catch (Throwable failure) {
            takeBack(failure);
            throw failure;
        }
    }

    private void takeBack(Throwable failure) {
        first.begun();
        atExit.forget();
        Assembly.takeBack(installer.transformations(), failure);
    }

    /** Whether something is lost if the JVM is over before the agent has begun, or virtual threads would not wait for that. */
    private boolean isAwaited(CarrierPool.@Nullable Found scheduler) {
        ReportTarget.Place report = options.report().place();
        return report == ReportTarget.Place.FILE
                || report == ReportTarget.Place.STDOUT
                || options.otlp() != null
                || mayBeSecured()
                || (scheduler != null && (scheduler.hasCarriers() || !installer.isToldOfCarriers()));
    }

    /**
     * Whether the application may install a security manager, which permits the agent less than it needs to begin; up to JDK 23. Then
     * what cannot be initialized any more with less, for good ({@code sun.security.util.FilePermCompat}), is initialized now: a thread of the
     * agent's may be the first to need it.
     */
    private static boolean mayBeSecured() {
        String manager = System.getProperty("java.security.manager");
        return manager != null
                && !manager.equals("disallow")
                && !new FilePermission("/", "read").getActions().isEmpty();
    }

    private void beside(RunningAgent agent, Installation installation, CarrierPool.@Nullable Found scheduler) {
        try {
            Assembly assembly = assemble(installation, scheduler);
            agent.runs(assembly, options);
            Thread proving = assembly.proving();
            if (proving != null) { // only then are the hooks told for certain
                AgentThread.join(proving, Long.MAX_VALUE);
            }
        } catch (Throwable failure) {
            if (!Shutdown.hasBegun()) {
                takeBack(failure);
                agent.cannotRun(failure).logFailure();
            }
        } finally {
            first.begun();
        }
    }

    private Assembly assemble(Installation installation, CarrierPool.@Nullable Found scheduler) {
        return Assembly.of(options, installer, installation, scheduler, atExit, first, beganNanos);
    }
}
