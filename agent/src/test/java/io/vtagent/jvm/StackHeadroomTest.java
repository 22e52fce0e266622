package io.vtagent.jvm;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class StackHeadroomTest {
    private static final int THREADS = 100;

    /**
     * Threads of many sizes, so that the end of the stack comes everywhere between a claim and what
     * it was for, in JVMs that interpret it or compile it, with C1 or with C2.
     *
     * @param frames take nearly as much as was claimed: some 104, 48 and 24 bytes each
     */
    @ParameterizedTest
    @CsvSource({"-Xint, 135", "-XX:TieredStopAtLevel=1, 295", "-XX:-TieredCompilation, 590"})
    void whereAClaimWentThroughTheStackIsNotAtItsEnd(String mode, int frames)
            throws IOException, InterruptedException {
        List<String> command =
                new ArrayList<>(
                        List.of(
                                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                                mode,
                                "-Xbatch"));
        ManagementFactory.getRuntimeMXBean().getInputArguments().stream()
                .filter(argument -> argument.startsWith("--add-"))
                .forEach(command::add);
        command.addAll(
                List.of(
                        "-cp",
                        System.getProperty("java.class.path"),
                        ToTheEnd.class.getName(),
                        Integer.toString(frames)));
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();

        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        assertThat(process.waitFor()).describedAs(output).isZero();
        assertThat(output)
                .matches("claimed more than 10000, refused " + THREADS + ", missing 0\\R");
    }

    /**
     * Claims and uses what it has claimed, deeper and deeper, to the end of the stacks of many
     * threads.
     */
    static final class ToTheEnd {
        private static final int CALLS_UNTIL_COMPILED = 20_000;

        private final int frames;
        private int claimed;
        private int refused;
        private int missing;

        private ToTheEnd(int frames) {
            this.frames = frames;
        }

        public static void main(String[] arguments) throws InterruptedException {
            ToTheEnd program = new ToTheEnd(Integer.parseInt(arguments[0]));
            for (int i = 0; i < CALLS_UNTIL_COMPILED; i++) {
                program.use(1);
                StackHeadroom.claim();
            }
            for (int i = 0; i < THREADS; i++) {
                Thread thread = new Thread(null, program::run, "deep-" + i, 200_000 + i * 4_096L);
                thread.start();
                thread.join();
            }
            System.out.printf(
                    "claimed %s, refused %d, missing %d%n",
                    program.claimed > 10_000 ? "more than 10000" : program.claimed,
                    program.refused,
                    program.missing);
        }

        private void run() {
            try {
                descend();
            } catch (StackOverflowError end) {
                // as it should
            }
        }

        @SuppressWarnings("InfiniteRecursion") // to the end of the stack
        private void descend() {
            try {
                StackHeadroom.claim();
            } catch (StackOverflowError end) {
                refused++;
                throw end;
            }
            claimed++;
            try {
                use(frames);
            } catch (StackOverflowError end) {
                missing++;
                throw end;
            }
            descend();
        }

        private int use(int left) {
            return left == 0 ? 0 : use(left - 1) + left;
        }
    }
}
