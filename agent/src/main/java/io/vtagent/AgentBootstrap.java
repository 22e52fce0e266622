package io.vtagent;

import io.vtagent.exporter.EarlyReport;
import io.vtagent.exporter.ShutdownReportHook;
import io.vtagent.exporter.otel.OtelSdk;
import io.vtagent.instrument.Installation;
import io.vtagent.instrument.Installer;
import io.vtagent.instrument.StartupGate;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.ReportTarget;
import io.vtagent.probe.VtAgentProbe;
import io.vtagent.scheduler.CarrierPool;
import io.vtagent.thread.AgentThread;
import io.vtagent.thread.Shutdown;
import io.vtagent.thread.Steps;
import java.io.FilePermission;
import java.lang.instrument.Instrumentation;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;

/**
 * Starts the agent. Installs the sensors before {@code main}; the rest is done in parallel with the
 * application, which waits only for the hooks, when it creates its first carrier. So a JVM may end
 * before the agent has begun. Can be linked only after the probe is defined.
 */
final class AgentBootstrap implements BooleanSupplier {
    /**
     * The longest time that the application waits at its first carrier, even if the agent has not
     * begun by then.
     */
    private static final long MAX_NANOS = 5_000_000_000L;

    private final AgentOptions options;
    private final Installer installer;
    private final @Nullable Steps steps;
    private final @Nullable OtelSdk otelSdk;
    private final long beganNanos;
    private final ShutdownReportHook atExit = new ShutdownReportHook();
    private final StartupGate first = new StartupGate(MAX_NANOS);

    /**
     * @param steps the steps that {@code main} waits for; null if the application is already
     *     running
     * @param otelSdk the SDK of OpenTelemetry's agent; null if that has not started this agent
     */
    AgentBootstrap(
            AgentOptions options,
            Instrumentation instrumentation,
            @Nullable Steps steps,
            @Nullable OtelSdk otelSdk,
            long beganNanos) {
        this.options = options;
        installer = new Installer(instrumentation);
        this.steps = steps;
        this.otelSdk = otelSdk;
        this.beganNanos = beganNanos;
    }

    /**
     * Starts {@code agent}, partly in parallel with {@code main}. Rolls back all changes to the JVM
     * on failure.
     */
    Outcome of(RunningAgent agent) {
        try {
            begins("installing the sensors");
            Installation installation =
                    installer.install(
                            options.relief() > 0,
                            options.wrapSynchronized(),
                            options.include(),
                            options.exclude(),
                            this);
            begins("finding the scheduler");
            VtAgentProbe.report(first); // before the check for carriers
            CarrierPool.Found scheduler = installation.carriers() ? CarrierPool.find() : null;
            boolean beside = steps != null && !isAwaited(scheduler);
            begins("putting the agent together");
            if (!beside) {
                first.begun();
            } else if (options.report().place() != ReportTarget.Place.OFF) {
                EarlyReport early = new EarlyReport(installation, first);
                atExit.becomes(early);
                atExit.waitWhile(early);
            }
            if (beside && steps != null) {
                steps.end();
            }
            AgentComponents assembly =
                    AgentComponents.of(
                            options,
                            installer,
                            installation,
                            scheduler,
                            atExit,
                            first,
                            beside,
                            otelSdk,
                            beganNanos);
            agent.runs(assembly, options);
            Thread proving = assembly.proving();
            if (beside && proving != null) { // only then are the hooks certain to be called
                AgentThread.join(proving, MAX_NANOS);
            }
            return Outcome.ok("attached");
        } catch (Throwable failure) {
            if (steps != null && Shutdown.hasBegun()) {
                return Outcome.ok(""); // the JVM has ended before the agent has begun
            }
            first.begun();
            atExit.forget();
            AgentComponents.takeBack(installer.transformations(), failure);
            throw failure;
        } finally {
            first.begun();
        }
    }

    private void begins(String step) {
        if (steps != null) {
            steps.begin(step);
        }
    }

    /**
     * Returns whether the application is already running, so that there may be classes that no
     * transformer has seen.
     */
    private boolean isRunning() {
        return steps == null || steps.isAbandoned();
    }

    @Override
    public boolean getAsBoolean() {
        return isRunning();
    }

    /**
     * Returns whether {@code main} must wait for the agent: because data would be lost if the JVM
     * ended before the agent has begun, or because virtual threads would not wait for it.
     */
    private boolean isAwaited(CarrierPool.@Nullable Found scheduler) {
        ReportTarget.Place report = options.report().place();
        return report == ReportTarget.Place.FILE
                || report == ReportTarget.Place.STDOUT
                || options.otlp() != null
                || otelSdk != null
                || mayBeSecured()
                || (scheduler != null && (scheduler.hasCarriers() || !installer.reportsCarriers()));
    }

    /**
     * Returns whether the application may install a security manager, which would give the agent
     * fewer permissions than it needs to begin; up to JDK 23. In that case this also initializes a
     * JDK class that can never be initialized with fewer permissions ({@code
     * sun.security.util.FilePermCompat}), because one of the agent's threads may be the first to
     * need it.
     */
    private static boolean mayBeSecured() {
        String manager = System.getProperty("java.security.manager");
        return manager != null
                && !manager.equals("disallow")
                && !new FilePermission("/", "read").getActions().isEmpty();
    }
}
