package io.vtagent;

import io.vtagent.log.AgentLog;
import io.vtagent.vm.AgentProperties;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What whoever attaches wants: {@code @NUMBER,VERSION,COMMAND}, or the command alone from somebody who does not wait for an answer.
 *
 * @param number 1 to 3 digits by which those who ask at the same time know their answers, in the agent property {@code vtagent.answer.NUMBER};
 *     empty for none
 * @param version of the agent that is to come; empty for whichever
 * @param command options for a new agent, or what the one that is there is to do
 */
record Request(String number, String version, @Nullable String command) {
    private static final Pattern NUMBERED = Pattern.compile("@([0-9]{1,3}),([^,]*),(.*)", Pattern.DOTALL);

    static Request of(@Nullable String arguments) {
        Matcher parts = NUMBERED.matcher(arguments == null ? "" : arguments);
        return parts.matches()
                ? new Request(parts.group(1), parts.group(2), parts.group(3))
                : new Request("", "", arguments);
    }

    /** Why another jar than the one that is meant would come: a JVM that had the agent has kept the way into that one. */
    @Nullable
    String refusal() {
        String own = String.valueOf(Request.class.getPackage().getImplementationVersion());
        return version.isEmpty() || version.equals(own)
                ? null
                : "this JVM has kept vt-agent " + own + ", which was in it before, expected the same version";
    }

    /** Each answer begins otherwise than the one before it. */
    void answer(Answer answer) {
        answer.logFailure();
        if (number.isEmpty()) {
            return;
        }
        try {
            AgentProperties.put(AgentProperties.ANSWER + "." + number, System.nanoTime() + " " + answer.asText());
        } catch (RuntimeException | LinkageError otherwise) {
            AgentLog.debug("whoever attached cannot be told how it ended", otherwise);
        }
    }
}
