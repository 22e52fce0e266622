package io.vtagent.demo;

import io.vtagent.demo.model.Arguments;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size;
import io.vtagent.demo.model.UsageException;
import java.io.IOException;
import java.util.List;
import java.util.Set;

/**
 * Runs one case in this JVM: {@code run CASE --variant V [--tasks N] [--latency-ms N] [--jdbc-url
 * U] [--serve] [--hold]}.
 *
 * <p>A run ends with one line on the standard output, see {@link Result#line()}. {@code --serve}
 * repeats the case until the JVM is stopped. {@code --hold} keeps the JVM, and with it any
 * observer, until the standard input is closed.
 */
public final class Demo {

    private static final long PAUSE_BETWEEN_ROUNDS_MILLIS = 1_000;

    private Demo() {}

    public static void main(String[] args) throws Exception {
        try {
            run(
                    Arguments.parse(
                            List.of(args),
                            Set.of(
                                    "--variant",
                                    Settings.TASKS,
                                    Settings.LATENCY_MILLIS,
                                    Settings.JDBC_URL),
                            Set.of("--serve", "--hold")));
        } catch (UsageException e) {
            System.err.println("demo: " + e.getMessage());
            System.exit(2);
        }
    }

    private static void run(Arguments arguments) throws Exception {
        List<String> words = arguments.words();
        if (words.size() != 2 || !words.get(0).equals("run")) {
            throw new UsageException(
                    "expected run CASE --variant V, but got \"" + String.join(" ", words) + '"');
        }
        DemoCase demoCase = Catalogue.caseNamed(words.get(1));
        String variant =
                Catalogue.variantOf(demoCase, arguments.text("--variant", "", "none")).name();
        Settings settings = Settings.of(arguments, demoCase.size(variant, Size.Scale.QUICK));
        boolean hold = arguments.flags().contains("--hold");
        if (arguments.flags().contains("--serve")) {
            serve(demoCase, variant, settings, hold);
        }
        System.out.println(demoCase.run(variant, settings).line());
        if (hold) {
            awaitEndOfInput();
        }
    }

    private static void serve(DemoCase demoCase, String variant, Settings settings, boolean hold)
            throws Exception {
        if (hold) {
            Thread.ofPlatform()
                    .daemon()
                    .name("end-of-input")
                    .start(
                            () -> {
                                awaitEndOfInput();
                                System.exit(0);
                            });
        }
        while (true) {
            System.out.println(demoCase.run(variant, settings).line());
            Thread.sleep(PAUSE_BETWEEN_ROUNDS_MILLIS);
        }
    }

    private static void awaitEndOfInput() {
        try {
            while (System.in.read() >= 0) {
                // the content of the standard input does not matter
            }
        } catch (IOException e) {
            // An input that cannot be read has ended too.
        }
    }
}
