package io.vtagent;

import io.vtagent.jvm.AgentProperties;
import io.vtagent.log.AgentLog;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The request of an attaching process: {@code @NUMBER,VERSION,COMMAND}, or only the command if the
 * process does not wait for an answer.
 *
 * @param number 1 to 3 digits that distinguish the answers to simultaneous requests, in the agent
 *     property {@code vtagent.answer.NUMBER}; empty for no answer
 * @param version of the requested agent; empty for any
 * @param command options for a new agent, or a command to the running one
 */
record Request(String number, String version, @Nullable String command) {
    private static final Pattern NUMBERED =
            Pattern.compile("@([0-9]{1,3}),([^,]*),(.*)", Pattern.DOTALL);

    static Request of(@Nullable String arguments) {
        Matcher parts = NUMBERED.matcher(arguments == null ? "" : arguments);
        return parts.matches()
                ? new Request(parts.group(1), parts.group(2), parts.group(3))
                : new Request("", "", arguments);
    }

    /**
     * Returns why this agent does not have the requested version, or null if it has. A JVM that had
     * the agent before keeps its entry class, and so its jar.
     */
    @Nullable String refusal() {
        String own = String.valueOf(Request.class.getPackage().getImplementationVersion());
        return version.isEmpty() || version.equals(own)
                ? null
                : "this JVM still has classes of vt-agent "
                        + own
                        + ", which ran in it before, expected the same version";
    }

    /** Publishes the answer, with a time stamp in front, so that two equal answers differ. */
    void answer(Outcome answer) {
        answer.logFailure();
        if (number.isEmpty()) {
            return;
        }
        try {
            AgentProperties.put(
                    AgentProperties.ANSWER + "." + number,
                    System.nanoTime() + " " + answer.asText());
        } catch (RuntimeException | LinkageError otherwise) {
            AgentLog.debug("the attach command gets no answer", otherwise);
        }
    }
}
