package io.vtagent;

import io.vtagent.jvm.AgentProperties;
import io.vtagent.jvm.RecordMethods;
import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent of this JVM, as seen by an attaching process: changes its options and ends it. The
 * command and the answer are strings, so that another version of the agent, in another class
 * loader, can send commands. Thread-safe by one lock.
 */
final class RunningAgent implements Function<String, String> {
    /** The longest time that a command waits for an agent that is still starting. */
    private static final long MAX_BEGINNING_MILLIS = 5_000;

    private @Nullable AgentComponents assembly;

    /**
     * The options in force. A slow change may set them when its caller no longer waits, and takes
     * no lock.
     */
    private volatile @Nullable AgentOptions options;

    private boolean beginning = true;

    /** Called when the agent has begun. */
    synchronized void runs(AgentComponents newAssembly, AgentOptions newOptions) {
        assembly = newAssembly;
        options = newOptions;
        beginning = false;
        notifyAll();
    }

    /** Called when the agent cannot begin. */
    synchronized void cannotRun() {
        AgentProperties.release(this);
        beginning = false;
        notifyAll();
    }

    /** Called when the agent cannot begin. The answer contains the reason. */
    Outcome cannotRun(Throwable failure) {
        cannotRun();
        AgentLog.debug("the cause:", failure);
        return Outcome.failed("cannot start, the application runs without the agent: " + failure);
    }

    /**
     * @param command {@link Command#DETACH}, or {@link Command#SET} followed by options
     */
    @Override
    public synchronized String apply(String command) {
        awaitBegun();
        AgentComponents running = assembly;
        AgentOptions before = options;
        if (running == null || before == null) {
            return Outcome.failed("vt-agent is starting or ending in this JVM, try again").asText();
        }
        try {
            Outcome answer =
                    command.startsWith(Command.SET)
                            ? change(running, before, command.substring(Command.SET.length()))
                            : end(running);
            return answer.asText();
        } catch (RuntimeException | LinkageError failure) {
            AgentLog.debug("the cause:", failure);
            return Outcome.failed("this is a bug of vt-agent, please report it: " + failure)
                    .asText();
        }
    }

    private synchronized void awaitBegun() {
        long beganNanos = System.nanoTime();
        for (long left = MAX_BEGINNING_MILLIS; beginning && left > 0; ) {
            try {
                wait(left);
            } catch (InterruptedException later) {
                // by the application
            }
            left = MAX_BEGINNING_MILLIS - (System.nanoTime() - beganNanos) / 1_000_000;
        }
    }

    private Outcome change(AgentComponents running, AgentOptions before, String changes) {
        AgentOptions wanted;
        try {
            wanted = before.changed(changes);
        } catch (BadOptionException bad) {
            return Outcome.failed(bad.getMessage() + "; nothing was changed");
        }
        String failure =
                running.become(
                        before,
                        wanted,
                        () -> {
                            options = wanted;
                            AgentLog.info(
                                    "options were changed: " + AgentOptions.withoutToken(changes));
                        });
        return failure == null ? Outcome.ok("changed") : Outcome.failed(failure);
    }

    private Outcome end(AgentComponents running) {
        String left = running.end();
        assembly = null;
        AgentProperties.release(this);
        forgetRecords();
        AgentLog.info("vt-agent was detached, the application continues without it" + left);
        return Outcome.ok("detached" + left);
    }

    /**
     * Makes the JDK remember a record of a small class loader instead of a record of the agent, so
     * that the agent's class loader can be collected.
     */
    private static void forgetRecords() {
        URL jar = RunningAgent.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader small =
                new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
            small.loadClass(RecordMethods.class.getName()).getMethod("remember").invoke(null);
        } catch (IOException | ReflectiveOperationException | LinkageError unreadable) {
            AgentLog.debug(
                    "the JDK keeps the agent's record classes until memory is needed", unreadable);
        }
    }
}
