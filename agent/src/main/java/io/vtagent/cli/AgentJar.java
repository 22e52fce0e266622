package io.vtagent.cli;

import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The agent's jar in another JVM: brings it there, and tells the agent that is there what to do. */
final class AgentJar {
    private static final Duration LONGEST_WAIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 20;
    private static final String OK = "ok ";

    /** Among whom an answer is not mistaken for somebody else's. */
    private static final long NUMBERS = 100;

    @Option(
            names = "--jar",
            paramLabel = "PATH",
            description =
                    "The agent's jar as the other JVM finds it, where that is in a container. By default this one.")
    @Nullable
    Path jar;

    private Path path() {
        if (jar != null) {
            return jar;
        }
        CodeSource source = AgentJar.class.getProtectionDomain().getCodeSource();
        return Path.of(URI.create(String.valueOf(source.getLocation()))).toAbsolutePath();
    }

    /**
     * Has {@code jvm} load the jar, and waits for the answer of the agent.
     *
     * @param command options for a new agent, or what the one that is there is to do
     * @return what became of it, as a sentence
     * @throws BadInputException if that is a failure
     */
    String tell(AttachedJvm jvm, String command) {
        long number = ProcessHandle.current().pid() % NUMBERS;
        String before = jvm.answer(number);
        jvm.load(path(), "@" + number + "," + CommandLineTool.Version.own() + "," + command);
        for (long beganNanos = System.nanoTime(); System.nanoTime() - beganNanos < LONGEST_WAIT.toNanos(); ) {
            String answer = jvm.answer(number);
            if (!answer.equals(before)) {
                String sentence = answer.substring(answer.indexOf(' ') + 1);
                if (sentence.startsWith(OK)) {
                    return sentence.substring(OK.length());
                }
                throw new BadInputException(sentence.substring(sentence.indexOf(' ') + 1));
            }
            pause();
        }
        throw new BadInputException(
                "there was no answer within " + LONGEST_WAIT.toSeconds() + " s; the stderr of that JVM may say more");
    }

    /** The same, to an agent that is there. */
    String tellAgent(AttachedJvm jvm, long pid, String command) {
        if (!jvm.hasAgent()) {
            throw new BadInputException("process " + pid + " is a JVM without vt-agent, expected one with it");
        }
        return tell(jvm, command);
    }

    static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException hurried) {
            throw new BadInputException("it was interrupted");
        }
    }
}
