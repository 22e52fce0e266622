package io.vtagent;

import io.vtagent.log.AgentLog;
import io.vtagent.options.AgentOptions;
import io.vtagent.options.BadOptionException;
import io.vtagent.vm.AgentProperties;
import io.vtagent.vm.RecordMethods;
import java.io.IOException;
import java.net.URL;
import java.net.URLClassLoader;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * The agent of this JVM, as whoever attaches finds it: changes its options, and ends it. What it takes and gives are strings, so that
 * another version of the agent, in another class loader, can tell it what to do. Thread-safe by one lock.
 */
final class RunningAgent implements Function<String, String> {
    /** Whoever tells the agent what to do while it begins waits no longer. */
    private static final long LONGEST_BEGINNING_MILLIS = 5_000;

    private @Nullable Assembly assembly;
    private @Nullable AgentOptions options;
    private boolean beginning = true;

    /** It has begun. */
    synchronized void runs(Assembly newAssembly, AgentOptions newOptions) {
        assembly = newAssembly;
        options = newOptions;
        beginning = false;
        notifyAll();
    }

    /** It has not begun, and never will. */
    synchronized void cannotRun() {
        AgentProperties.release(this);
        beginning = false;
        notifyAll();
    }

    /** It has not begun, and never will: the answer says why. */
    Answer cannotRun(Throwable failure) {
        cannotRun();
        AgentLog.debug("the cause:", failure);
        return Answer.failed("cannot start, the application runs without the agent: " + failure);
    }

    /** @param command {@link Command#DETACH}, or {@link Command#SET} and options */
    @Override
    public synchronized String apply(String command) {
        awaitBegun();
        Assembly running = assembly;
        AgentOptions before = options;
        if (running == null || before == null) {
            return Answer.failed("vt-agent is starting or ending in this JVM, expected one that runs: try again")
                    .asText();
        }
        try {
            Answer answer = command.startsWith(Command.SET)
                    ? change(running, before, command.substring(Command.SET.length()))
                    : end(running);
            return answer.asText();
        } catch (RuntimeException | LinkageError failure) {
            AgentLog.debug("the cause:", failure);
            return Answer.failed("this is a bug of vt-agent, please report it: " + failure)
                    .asText();
        }
    }

    private synchronized void awaitBegun() {
        long beganNanos = System.nanoTime();
        for (long left = LONGEST_BEGINNING_MILLIS; beginning && left > 0; ) {
            try {
                wait(left);
            } catch (InterruptedException later) {
                // the application's doing
            }
            left = LONGEST_BEGINNING_MILLIS - (System.nanoTime() - beganNanos) / 1_000_000;
        }
    }

    private Answer change(Assembly running, AgentOptions before, String changes) {
        AgentOptions wanted;
        try {
            wanted = before.changed(changes);
        } catch (BadOptionException bad) {
            return Answer.failed(bad.getMessage() + "; nothing was changed");
        }
        String failure = running.become(before, wanted);
        if (failure != null) {
            return Answer.failed(failure + "; nothing was changed");
        }
        options = wanted;
        AgentLog.info("options were changed: " + AgentOptions.withoutToken(changes));
        return Answer.ok("changed");
    }

    private Answer end(Assembly running) {
        String left = running.end();
        assembly = null;
        AgentProperties.release(this);
        forgetRecords();
        AgentLog.info("vt-agent was detached, the application goes on without it" + left);
        return Answer.ok("detached" + left);
    }

    /** What the JDK remembers instead has a loader that has nothing else. */
    private static void forgetRecords() {
        URL jar = RunningAgent.class.getProtectionDomain().getCodeSource().getLocation();
        try (URLClassLoader small = new URLClassLoader(new URL[] {jar}, ClassLoader.getPlatformClassLoader())) {
            small.loadClass(RecordMethods.class.getName()).getMethod("remember").invoke(null);
        } catch (IOException | ReflectiveOperationException | LinkageError unreadable) {
            AgentLog.debug("the JDK remembers records of the agent's until memory is needed", unreadable);
        }
    }
}
