package io.vtagent.cli;

import java.net.URI;
import java.nio.file.Path;
import java.security.CodeSource;
import java.time.Duration;
import java.util.concurrent.ThreadLocalRandom;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * The agent's jar. It is loaded into another JVM, either to start the agent or to send a command to
 * the running one.
 */
final class AgentJar {
    private static final Duration MAX_WAIT = Duration.ofSeconds(30);
    private static final long POLL_MILLIS = 20;
    private static final String OK = "ok ";

    /** The number of values that distinguish the answers to simultaneous requests. */
    private static final int NUMBERS = 1_000;

    @Option(
            names = "--jar",
            paramLabel = "PATH",
            description =
                    "The path under which the other JVM finds the agent's jar, for example in a"
                            + " container. Default: this jar.")
    @Nullable Path jar;

    private Path path() {
        if (jar != null) {
            return jar;
        }
        CodeSource source = AgentJar.class.getProtectionDomain().getCodeSource();
        return Path.of(URI.create(String.valueOf(source.getLocation()))).toAbsolutePath();
    }

    /**
     * Loads the jar into {@code jvm} and waits for the agent's answer.
     *
     * @param command options for a new agent, or a command to the running one
     * @return the outcome as a sentence
     * @throws BadInputException if the request failed, or there was no answer in time
     */
    String send(AttachedJvm jvm, String command) {
        long number =
                ThreadLocalRandom.current()
                        .nextInt(NUMBERS); // process ids are often equal in containers
        String before = jvm.answer(number);
        jvm.load(path(), "@" + number + "," + CommandLineTool.Version.own() + "," + command);
        for (long beganNanos = System.nanoTime();
                System.nanoTime() - beganNanos < MAX_WAIT.toNanos(); ) {
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
                "there was no answer within "
                        + MAX_WAIT.toSeconds()
                        + " s; the stderr of that JVM may have the reason");
    }

    /** Does the same as {@link #send}, but only if the agent is already in {@code jvm}. */
    String sendToAgent(AttachedJvm jvm, long pid, String command) {
        if (!jvm.hasAgent()) {
            throw new BadInputException(
                    "process " + pid + " is a JVM without vt-agent, expected one with it");
        }
        return send(jvm, command);
    }

    static void pause() {
        try {
            Thread.sleep(POLL_MILLIS);
        } catch (InterruptedException hurried) {
            throw new BadInputException("the command was interrupted");
        }
    }
}
