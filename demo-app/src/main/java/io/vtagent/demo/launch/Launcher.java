package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Result;
import io.vtagent.demo.model.UsageException;
import io.vtagent.demo.model.Variant;
import io.vtagent.demo.text.Sample;
import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Entry of {@code ./demo}, which passes its arguments on and names the root of the checkout in
 * {@code demo.root}.
 */
public final class Launcher {

    private static final String LABEL = "%-16s";
    private static final int LINE_WIDTH = 120;
    private static final CountDownLatch ENDING = new CountDownLatch(1);
    private static final long MOMENT_MILLIS = 100;
    private static final String STAYS_OUT =
            "The agent stays out of a JVM of JDK 21 to 23 that prints pins (docs/supported.md).";
    private static final Path ROOT = Path.of(System.getProperty("demo.root", "."));

    private final Options options;
    private final ChildJvms children;
    private final Progress progress;

    private Launcher(Options options) throws LaunchException, InterruptedException {
        this.options = options;
        children = ChildJvms.of(ROOT, options);
        progress = new Progress(System.err, Boolean.getBoolean("demo.terminal"));
    }

    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(ENDING::countDown, "ending"));
        try {
            Options options = Options.parse(List.of(args));
            switch (options.mode()) {
                case HELP -> System.out.print(help());
                case LIST -> System.out.print(list());
                case DOCS -> Documentation.write(ROOT);
                case RUN, ALL -> new Launcher(options).run();
                case SERVE -> new Launcher(options).serve();
            }
        } catch (UsageException e) {
            fail(e.getMessage(), 2);
        } catch (LaunchException | IOException e) {
            fail(e.getMessage(), 1);
        }
    }

    static String help() throws IOException {
        try (InputStream text =
                Objects.requireNonNull(Launcher.class.getResourceAsStream("help.txt"))) {
            return new String(text.readAllBytes(), StandardCharsets.UTF_8)
                    + "\nThe cases:\n\n"
                    + list();
        }
    }

    private static String list() {
        StringBuilder list = new StringBuilder();
        for (DemoCase demoCase : Catalogue.CASES) {
            String variants =
                    demoCase.variants().stream()
                            .map(Variant::name)
                            .collect(Collectors.joining(", "));
            list.append(wrapped(demoCase.name(), demoCase.shows()));
            list.append(wrapped("", "variants: " + variants));
        }
        return list.toString();
    }

    /** {@code text} behind a {@code label}, in lines that a terminal can show. */
    private static String wrapped(String label, String text) {
        StringBuilder lines = new StringBuilder();
        StringBuilder line = new StringBuilder(LABEL.formatted(label));
        for (String word : text.split(" ", -1)) {
            if (line.length() + word.length() >= LINE_WIDTH) {
                lines.append(line).append(System.lineSeparator());
                line = new StringBuilder(LABEL.formatted(""));
            }
            line.append(' ').append(word);
        }
        return lines.append(line).append(System.lineSeparator()).toString();
    }

    private void run() throws LaunchException, IOException, InterruptedException {
        CollectedResults results = new CollectedResults(options, Machine.here(children.homes()));
        // Ctrl-C ends it at once, with what was measured so far.
        Thread last = new Thread(() -> print(results), "tell");
        Runtime.getRuntime().addShutdownHook(last);
        for (Run run : options.runs()) {
            progress.show(results.progress(run));
            try (ChildJvm child = children.start(run)) {
                Outcome outcome = outcome(run, child);
                child.end();
                results.add(outcome);
            } catch (LaunchException e) {
                progress.clear();
                if (ENDING.await(MOMENT_MILLIS, TimeUnit.MILLISECONDS)) {
                    return;
                }
                System.err.println("demo: " + e.getMessage());
                results.failed(run, e);
            } finally {
                progress.clear();
            }
        }
        Runtime.getRuntime().removeShutdownHook(last);
        print(results);
        if (results.hasFailures()) {
            System.exit(1);
        }
    }

    private static Outcome outcome(Run run, ChildJvm child)
            throws LaunchException, IOException, InterruptedException {
        Result result = child.result();
        if (child.agentStaysOut()) {
            return new Outcome(run, result.note(STAYS_OUT), Pins.NONE, "");
        }
        List<Sample> samples = child.scrape();
        Pins pins = Pins.of(samples);
        Result beside =
                run.demoCase().besideAgent(run.variant().name(), result, pins.seen(samples));
        return new Outcome(
                run,
                Pins.stillHeld(samples).map(beside::note).orElse(beside),
                pins,
                child.answer());
    }

    private void print(CollectedResults results) {
        progress.clear();
        System.out.print(Summary.of(results.outcomes()));
        if (options.mode() == Options.Mode.ALL) {
            try {
                results.write(Path.of("demo-report.html"), Path.of("demo-report.json"));
                System.out.println("\nWritten: demo-report.html, demo-report.json");
            } catch (IOException e) {
                System.err.println("demo: cannot write the report: " + e);
            }
        }
    }

    private void serve() throws LaunchException, IOException, InterruptedException {
        Run run = options.runs().get(0);
        String figure = run.demoCase().figure();
        progress.show(run + " is starting");
        try (ChildJvm child = children.start(run)) {
            for (int round = 1; ; round++) {
                double value = child.result().figure(figure);
                if (round == 1) {
                    print(run, child.endpoint());
                }
                progress.show("round %d: %s %s".formatted(round, Quantity.text(value), figure));
            }
        }
    }

    private void print(Run run, URI endpoint) {
        progress.clear();
        System.out.println(run + " repeats itself; Ctrl-C ends it.");
        System.out.print(addresses(endpoint));
    }

    /** The agent's first line has the address of the metrics alone. */
    static String addresses(URI metrics) {
        return "The page: %s%nMetrics:  %s%n".formatted(metrics.resolve("/"), metrics);
    }

    /**
     * Fails. Ctrl-C fails a run as well, a moment before it ends this JVM; then nothing is printed.
     */
    private static void fail(@Nullable String message, int exitCode) throws InterruptedException {
        if (!ENDING.await(MOMENT_MILLIS, TimeUnit.MILLISECONDS)) {
            System.err.println("demo: " + message);
        }
        System.exit(exitCode);
    }
}
