package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.DemoCase;
import io.vtagent.demo.UsageException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/** Entry of {@code ./demo}, which passes its arguments on and names the root of the checkout in {@code demo.root}. */
public final class Launcher {

    private static final CountDownLatch ENDING = new CountDownLatch(1);
    private static final long MOMENT_MILLIS = 100;

    private final Options options;
    private final ChildJvms children;
    private final Progress progress;

    private Launcher(Options options) throws LaunchException, InterruptedException {
        this.options = options;
        children = ChildJvms.of(Path.of(System.getProperty("demo.root", ".")), options);
        progress = new Progress(System.err, Boolean.getBoolean("demo.terminal"));
    }

    public static void main(String[] args) throws InterruptedException {
        Runtime.getRuntime().addShutdownHook(new Thread(ENDING::countDown, "ending"));
        try {
            Options options = Options.parse(List.of(args));
            switch (options.mode()) {
                case LIST -> list();
                case RUN -> new Launcher(options).run();
                case SERVE -> new Launcher(options).serve();
            }
        } catch (UsageException e) {
            fail(e.getMessage(), 2);
        } catch (LaunchException | IOException e) {
            fail(e.getMessage(), 1);
        }
    }

    private static void list() {
        Table table = new Table("case", "variants", "what it shows");
        for (DemoCase demoCase : Catalogue.CASES) {
            table.row(demoCase.name(), String.join(", ", demoCase.variants()), demoCase.shows());
        }
        System.out.print(table);
    }

    private void run() throws LaunchException, IOException, InterruptedException {
        List<Outcome> outcomes = new ArrayList<>();
        for (Run run : options.runs()) {
            progress.show(
                    "[%d/%d] %s".formatted(outcomes.size() + 1, options.runs().size(), run));
            try (ChildJvm child = children.start(run)) {
                outcomes.add(new Outcome(run, child.result(), Pins.of(child.scrape())));
                child.end();
            } finally {
                progress.clear();
            }
        }
        System.out.print(Summary.of(outcomes));
    }

    private void serve() throws LaunchException, IOException, InterruptedException {
        Run run = options.runs().get(0);
        progress.show(run + " is starting");
        try (ChildJvm child = children.start(run)) {
            for (int round = 1; ; round++) {
                double tasksPerSecond = child.result().tasksPerSecond();
                if (round == 1) {
                    tell(run, child.endpoint());
                }
                progress.show("round %d: %,.0f tasks/s".formatted(round, tasksPerSecond));
            }
        }
    }

    private void tell(Run run, URI endpoint) {
        progress.clear();
        System.out.println(run + " repeats itself; Ctrl-C ends it.");
        System.out.println("Metrics: " + endpoint);
    }

    /** Ctrl-C fails a run as well, a moment before it ends this JVM; then there is nothing to tell. */
    private static void fail(@Nullable String message, int exitCode) throws InterruptedException {
        if (!ENDING.await(MOMENT_MILLIS, TimeUnit.MILLISECONDS)) {
            System.err.println("demo: " + message);
        }
        System.exit(exitCode);
    }
}
