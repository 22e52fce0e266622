package io.vtagent.cli;

import com.sun.tools.attach.AgentInitializationException;
import com.sun.tools.attach.AgentLoadException;
import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.AttachOperationFailedException;
import com.sun.tools.attach.VirtualMachine;
import io.vtagent.jvm.AgentProperties;
import io.vtagent.jvm.JdkInternal;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * A JVM on this machine, accessed through the attach mechanism. Only {@link #load} loads anything
 * into it.
 */
final class AttachedJvm implements AutoCloseable {
    private static final String OFF = "off";
    private static final String INSTRUMENT = "java.instrument";
    private static final int TRIES = 5;
    private static final int MAX_BYTES = 1024;
    private static final String NO_DYNAMIC_AGENTS = "not enabled";

    private final long pid;
    private final VirtualMachine machine;

    private AttachedJvm(long pid, VirtualMachine machine) {
        this.pid = pid;
        this.machine = machine;
    }

    /**
     * Attaches to the JVM with the process id {@code pid}.
     *
     * @throws BadInputException if there is no such JVM, or attaching to it fails
     * @throws LinkageError if this runtime has no module jdk.attach
     */
    static AttachedJvm of(long pid) {
        ProcessHandle process =
                ProcessHandle.of(pid)
                        .orElseThrow(
                                () ->
                                        new BadInputException(
                                                "there is no process "
                                                        + pid
                                                        + ", expected the process id of a JVM on"
                                                        + " this machine; write ./"
                                                        + pid
                                                        + " for a file of that name"));
        try {
            return new AttachedJvm(pid, VirtualMachine.attach(Long.toString(pid)));
        } catch (AttachNotSupportedException | IOException | RuntimeException refused) {
            throw new BadInputException(refusal(process, refused.getMessage()));
        }
    }

    private static String refusal(ProcessHandle process, @Nullable String reason) {
        Optional<String> owner = process.info().user();
        Optional<String> self = ProcessHandle.current().info().user();
        if (owner.isPresent() && !owner.equals(self)) {
            return "process "
                    + process.pid()
                    + " belongs to the user "
                    + owner.get()
                    + ": run the command as that user, or give the URL of the endpoint";
        }
        return "process "
                + process.pid()
                + " refuses to be attached to, expected a JVM without -XX:+DisableAttachMechanism"
                + (reason == null ? "" : " (" + reason + ")");
    }

    /** Returns the URL of the agent's endpoint, or null if it has none. */
    @Nullable String endpoint() {
        String endpoint = agentProperty(AgentProperties.ENDPOINT);
        return endpoint == null || endpoint.equals(OFF) ? null : endpoint;
    }

    boolean hasAgent() {
        return agentProperty(AgentProperties.ENDPOINT) != null;
    }

    /**
     * Returns the agent's last answer to a request with {@code number}; empty if there is none. A
     * time stamp precedes the answer.
     */
    String answer(long number) {
        String answer = agentProperty(AgentProperties.ANSWER + "." + number);
        return answer == null ? "" : answer;
    }

    /** Returns the feature version of its Java, such as 21. */
    int java() {
        try {
            String version =
                    machine.getSystemProperties().getProperty("java.specification.version", "0");
            return Integer.parseInt(version.startsWith("1.") ? version.substring(2) : version);
        } catch (IOException | RuntimeException gone) {
            throw gone(gone);
        }
    }

    /** Returns the version of its JDK, such as 21.0.8. */
    String version() {
        try {
            return machine.getSystemProperties().getProperty("java.version", "?");
        } catch (IOException | RuntimeException gone) {
            throw gone(gone);
        }
    }

    /**
     * Returns the lines of a thread dump, as in {@code jcmd Thread.print}, which takes a safepoint
     * pause. Returns an empty list if this runtime does not offer that.
     */
    List<String> threadDump() {
        try {
            Class<?> hotSpot = Class.forName(JdkInternal.DATA_DUMP.typeName());
            Object dump =
                    hotSpot.getMethod(JdkInternal.DATA_DUMP.member(), Object[].class)
                            .invoke(machine, (Object) new Object[0]);
            try (BufferedReader lines =
                    new BufferedReader(
                            new InputStreamReader((InputStream) dump, StandardCharsets.UTF_8))) {
                return lines.lines().toList();
            }
        } catch (ReflectiveOperationException | IOException | RuntimeException notOffered) {
            return List.of();
        }
    }

    private @Nullable String agentProperty(String name) {
        for (int left = TRIES; ; left--) {
            try {
                return machine.getAgentProperties().getProperty(name);
            } catch (IOException | RuntimeException failed) {
                // a running JVM cannot return its agent properties while one of them is being
                // removed (NullPointerException in jdk.internal.vm.VMSupport)
                if (left == 0 || !(failed instanceof AttachOperationFailedException)) {
                    throw gone(failed);
                }
            }
        }
    }

    /** Loads the agent's jar into this JVM. {@code options} go to its {@code agentmain}. */
    void load(Path jar, String options) {
        if (jar.toString().indexOf('=') >= 0) {
            throw new BadInputException(
                    "the JVM ends the path of an agent's jar at its first =, expected another path"
                            + " than "
                            + jar);
        }
        try {
            machine.loadAgent(jar.toString(), options);
        } catch (AgentLoadException refused) {
            String reason = String.valueOf(refused.getMessage());
            if (reason.contains(NO_DYNAMIC_AGENTS)) {
                throw new BadInputException(
                        "process "
                                + pid
                                + " runs with -XX:-EnableDynamicAgentLoading, which forbids"
                                + " attaching agents, expected a JVM without it");
            }
            if (reason.contains(INSTRUMENT)) {
                throw new BadInputException(
                        "process "
                                + pid
                                + " runs without the module "
                                + INSTRUMENT
                                + ", which agents need, expected a JVM with it");
            }
            throw new BadInputException(
                    "process "
                            + pid
                            + " cannot load "
                            + jar
                            + " ("
                            + reason
                            + "), expected a path that is the same for both and that its user may"
                            + " read; --jar sets another one");
        } catch (AgentInitializationException failed) {
            throw new BadInputException(
                    "vt-agent did not start in process "
                            + pid
                            + " ("
                            + failed.getMessage()
                            + "); its stderr may have the reason");
        } catch (IOException | RuntimeException gone) {
            int bytes = (jar + "=" + options).getBytes(StandardCharsets.UTF_8).length;
            if (bytes > MAX_BYTES) {
                throw new BadInputException(
                        "process "
                                + pid
                                + " refuses the "
                                + bytes
                                + " bytes of path and options (the maximum up to JDK 23 is "
                                + MAX_BYTES
                                + "), expected fewer; config=FILE reads options from a file");
            }
            throw gone(gone);
        }
    }

    private BadInputException gone(Exception failure) {
        return new BadInputException(
                "process " + pid + " has stopped answering (" + failure.getMessage() + ")");
    }

    @Override
    public void close() {
        try {
            machine.detach();
        } catch (IOException closed) {
            // the connection is closed already
        }
    }
}
