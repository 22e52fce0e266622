package io.vtagent.cli;

import com.sun.tools.attach.AttachNotSupportedException;
import com.sun.tools.attach.VirtualMachine;
import java.io.IOException;
import java.net.URI;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Asks a JVM on this machine where its agent's endpoint is. Nothing is loaded into it. */
final class AttachedJvm {
    private static final String OFF = "off";

    private AttachedJvm() {}

    /** @throws LinkageError if this runtime has no module jdk.attach */
    static URI endpoint(long pid) {
        ProcessHandle process = ProcessHandle.of(pid)
                .orElseThrow(() -> new BadInputException("there is no process " + pid
                        + ", expected the process id of a JVM on this machine; ./" + pid + " would be a file"));
        String endpoint;
        try {
            endpoint = ask(pid);
        } catch (IOException | RuntimeException refused) {
            throw new BadInputException(refusal(process, refused.getMessage()));
        }
        if (endpoint == null) {
            throw new BadInputException("process " + pid
                    + " is a JVM without vt-agent, expected one that runs with -javaagent:vt-agent.jar");
        }
        if (endpoint.equals(OFF)) {
            throw new BadInputException("vt-agent has no endpoint in process " + pid
                    + ": it was started with port=off, or its port was taken");
        }
        return URI.create(endpoint);
    }

    /** @return null if there is no agent */
    private static @Nullable String ask(long pid) throws IOException {
        try {
            VirtualMachine machine = VirtualMachine.attach(Long.toString(pid));
            try {
                return machine.getAgentProperties().getProperty("vtagent.endpoint");
            } finally {
                machine.detach();
            }
        } catch (AttachNotSupportedException notAJvm) {
            throw new IOException(notAJvm.getMessage(), notAJvm);
        }
    }

    private static String refusal(ProcessHandle process, @Nullable String reason) {
        Optional<String> owner = process.info().user();
        Optional<String> self = ProcessHandle.current().info().user();
        if (owner.isPresent() && !owner.equals(self)) {
            return "process " + process.pid() + " belongs to the user " + owner.get()
                    + ": ask as that user, or give the URL of the endpoint";
        }
        return "process " + process.pid() + " does not let itself be asked, expected a JVM that runs with vt-agent"
                + (reason == null ? "" : " (" + reason + ")");
    }
}
