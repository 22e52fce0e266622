package io.vtagent.it;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * The scripts at the root, such as {@code ./jdk}, which find on this machine what the tests need,
 * and otherwise print what to do.
 */
final class RootScript {
    private static final long LIMIT_MINUTES = 10;
    private static final Map<List<String>, String> ANSWERS = new ConcurrentHashMap<>();

    private RootScript() {}

    /** Returns what the script prints. Each question is asked once. */
    static String ask(String script, String... arguments) {
        return ANSWERS.computeIfAbsent(
                Stream.concat(Stream.of(script), Stream.of(arguments)).toList(), RootScript::run);
    }

    private static String run(List<String> question) {
        Path script = Path.of(System.getProperty("it.root", ".."), question.get(0));
        List<String> command =
                Stream.concat(Stream.of("bash", script.toString()), question.stream().skip(1))
                        .toList();
        try {
            Process process = new ProcessBuilder(command).start();
            String answer =
                    new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            String sentence =
                    new String(process.getErrorStream().readAllBytes(), StandardCharsets.UTF_8)
                            .strip();
            if (!process.waitFor(LIMIT_MINUTES, TimeUnit.MINUTES) || process.exitValue() != 0) {
                throw new IllegalStateException(
                        "these tests need what ./"
                                + String.join(" ", question)
                                + " finds: "
                                + sentence);
            }
            return answer;
        } catch (IOException noBash) {
            throw new IllegalStateException("cannot run " + script, noBash);
        } catch (InterruptedException interrupted) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(interrupted);
        }
    }
}
