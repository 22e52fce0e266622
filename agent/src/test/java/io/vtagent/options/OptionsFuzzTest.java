package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.fail;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Properties;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assertions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * Random option texts, the same at every run: each is either valid, or refused with a sentence in
 * one line.
 */
class OptionsFuzzTest {
    private static final int ROUNDS = 50_000;
    private static final int FILES = 2_000;
    private static final Duration FAR_TOO_LONG = Duration.ofMinutes(5);
    private static final List<String> VALUES =
            List.of(
                    "0",
                    "1",
                    "-1",
                    "21491",
                    "off",
                    "on",
                    "stderr",
                    "1ms",
                    "5s",
                    "a.txt",
                    "a.json",
                    "::1",
                    "127.0.0.1",
                    "a:b;c:d",
                    "com.acme",
                    "9223372036854775807",
                    "9223372036854775808h",
                    "%p.txt",
                    "%%.html",
                    "%",
                    "[::1]",
                    "\u0000",
                    "\ud800");
    private static final String CHARACTERS =
            "=,:;.%[]-_/\\ \t\n\r\"'#!0aZ\u0000\u001b\u00e9\u0661\u2028\ud83d\ude00\uffff";

    @TempDir Path folder;

    private final Random random = new Random(20261122);
    private int accepted;
    private int refused;

    @Test
    void everyStringIsOptionsOrASentence() {
        Assertions.assertTimeoutPreemptively(
                FAR_TOO_LONG,
                () -> {
                    for (int i = 0; i < ROUNDS; i++) {
                        Properties properties = new Properties();
                        properties.setProperty(
                                mutated("vtagent." + option().key()), mutated(value()));
                        check(
                                random.nextBoolean() ? arguments() : null,
                                random.nextBoolean() ? properties : new Properties(),
                                random.nextBoolean()
                                        ? Map.of(mutated(option().variable()), mutated(value()))
                                        : Map.of());
                    }
                });
        // both happen, or it would prove nothing
        assertThat(accepted).isGreaterThan(ROUNDS / 100);
        assertThat(refused).isGreaterThan(ROUNDS / 100);
    }

    @Test
    void everyFileIsOptionsOrASentence() {
        Path file = folder.resolve("agent.properties");
        Assertions.assertTimeoutPreemptively(
                FAR_TOO_LONG,
                () -> {
                    for (int i = 0; i < FILES; i++) {
                        byte[] bytes = new byte[random.nextInt(40)];
                        random.nextBytes(bytes);
                        write(
                                file,
                                random.nextInt(4) == 0
                                        ? bytes
                                        : arguments()
                                                .replace(',', '\n')
                                                .getBytes(StandardCharsets.UTF_8));
                        check("config=" + file, new Properties(), Map.of());
                    }
                });
        assertThat(accepted).isPositive();
        assertThat(refused).isPositive();
    }

    private void check(
            @Nullable String arguments, Properties properties, Map<String, String> environment) {
        try {
            AgentOptions.parse(arguments, properties, environment);
            accepted++;
        } catch (BadOptionException bad) {
            refused++;
            assertThat(bad.getMessage())
                    .contains("expected ")
                    .hasSizeLessThan(2_000)
                    .matches("[^\\p{Cntrl}\u2028\u2029]*");
        } catch (Throwable other) {
            fail(
                    "arguments "
                            + arguments
                            + ", properties "
                            + properties
                            + ", environment "
                            + environment,
                    other);
        }
    }

    private String arguments() {
        StringBuilder arguments = new StringBuilder();
        for (int i = random.nextInt(4); i >= 0; i--) {
            arguments
                    .append(mutated(option().key() + "=:".charAt(random.nextInt(2)) + value()))
                    .append(i == 0 ? "" : ",");
        }
        return arguments.toString();
    }

    /** Anything but an address, where a name that there is not would ask a name server. */
    private Option option() {
        Option option = Option.values()[random.nextInt(Option.values().length)];
        return option == Option.BIND ? option() : option;
    }

    private String value() {
        return VALUES.get(random.nextInt(VALUES.size()));
    }

    /** As it is half of the time, or with some characters put in, left out or repeated. */
    private String mutated(String text) {
        StringBuilder mutated = new StringBuilder(text);
        for (int i = random.nextBoolean() ? 0 : random.nextInt(4); i > 0; i--) {
            int at = random.nextInt(mutated.length() + 1);
            switch (random.nextInt(3)) {
                case 0 ->
                        mutated.insert(at, CHARACTERS.charAt(random.nextInt(CHARACTERS.length())));
                case 1 -> mutated.delete(at, Math.min(mutated.length(), at + 1));
                default -> mutated.insert(at, mutated.substring(0, at));
            }
        }
        return mutated.toString();
    }

    private static void write(Path file, byte[] bytes) {
        try {
            Files.write(file, bytes);
        } catch (IOException failed) {
            throw new IllegalStateException(failed);
        }
    }
}
