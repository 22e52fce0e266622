package io.vtagent.demo.launch;

import io.vtagent.demo.Catalogue;
import io.vtagent.demo.model.Arguments;
import io.vtagent.demo.model.DemoCase;
import io.vtagent.demo.model.Settings;
import io.vtagent.demo.model.Size.Scale;
import io.vtagent.demo.model.UsageException;
import io.vtagent.demo.model.Variant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The options of {@code ./demo}.
 *
 * @param runs what runs, in order; exactly one to serve, none to list
 * @param carriers the parallelism of the scheduler
 */
record Options(Mode mode, List<Run> runs, int carriers, Scale scale) {

    enum Mode {
        RUN,
        /** To run, and to write a report. */
        ALL,
        SERVE,
        LIST,
        HELP,
        DOCS
    }

    static final Set<String> VALUED =
            Set.of(
                    "--variant",
                    "--jdk",
                    "--carriers",
                    Settings.TASKS,
                    Settings.LATENCY_MILLIS,
                    Settings.JDBC_URL);
    static final Set<String> FLAGS = Set.of("--serve", "--full", "--help");

    private static final int OLDEST_JDK = 21;
    private static final List<Integer> JDKS = List.of(OLDEST_JDK, 25);

    static Options parse(List<String> line) {
        Arguments arguments = Arguments.parse(line, VALUED, FLAGS);
        List<String> words = arguments.words();
        if (words.size() > 1) {
            throw new UsageException(
                    "expected one case, all, or list, but got \"" + String.join(" ", words) + '"');
        }
        Scale scale = arguments.flags().contains("--full") ? Scale.FULL : Scale.QUICK;
        Mode mode = mode(arguments);
        return new Options(
                mode,
                switch (mode) {
                    case LIST, HELP, DOCS -> List.<Run>of();
                    case SERVE -> runs(arguments, scale).subList(0, 1);
                    case RUN, ALL -> runs(arguments, scale);
                },
                arguments.number("--carriers", 1, 256, 8),
                scale);
    }

    private static Mode mode(Arguments arguments) {
        if (arguments.flags().contains("--help")) {
            return Mode.HELP;
        }
        return switch (arguments.words().isEmpty() ? "" : arguments.words().get(0)) {
            case "list" -> Mode.LIST;
            case "docs" -> Mode.DOCS;
            case "all" -> Mode.ALL;
            default -> arguments.flags().contains("--serve") ? Mode.SERVE : Mode.RUN;
        };
    }

    private static List<Run> runs(Arguments arguments, Scale scale) {
        List<Integer> jdks =
                arguments.values().containsKey("--jdk")
                        ? List.of(arguments.number("--jdk", OLDEST_JDK, 99, OLDEST_JDK))
                        : JDKS;
        List<Run> runs = new ArrayList<>();
        for (DemoCase demoCase : cases(arguments.words())) {
            for (Variant variant : variants(demoCase, arguments)) {
                for (int jdk : jdks) {
                    Settings settings =
                            Settings.of(arguments, demoCase.size(variant.name(), scale));
                    runs.add(new Run(demoCase, variant, jdk, settings));
                }
            }
        }
        return runs;
    }

    private static List<DemoCase> cases(List<String> words) {
        if (words.isEmpty()) {
            return Catalogue.FIRST;
        }
        return words.get(0).equals("all")
                ? Catalogue.CASES
                : List.of(Catalogue.caseNamed(words.get(0)));
    }

    private static List<Variant> variants(DemoCase demoCase, Arguments arguments) {
        String variant = arguments.values().get("--variant");
        return variant == null
                ? demoCase.variants()
                : List.of(Catalogue.variantOf(demoCase, variant));
    }
}
