package io.vtagent.demo.launch;

import io.vtagent.demo.Arguments;
import io.vtagent.demo.Catalogue;
import io.vtagent.demo.DemoCase;
import io.vtagent.demo.Settings;
import io.vtagent.demo.UsageException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What {@code ./demo} was asked to do.
 *
 * @param runs what runs, in order; exactly one to serve, none to list
 * @param carriers the parallelism of the scheduler
 * @param settings what else a run may vary
 */
record Options(Mode mode, List<Run> runs, int carriers, Settings settings) {

    enum Mode {
        RUN,
        SERVE,
        LIST
    }

    static final Set<String> VALUED =
            Set.of("--variant", "--jdk", "--carriers", Settings.TASKS, Settings.LATENCY_MILLIS, Settings.JDBC_URL);
    static final Set<String> FLAGS = Set.of("--serve");

    private static final int OLDEST_JDK = 21;
    private static final List<Integer> JDKS = List.of(OLDEST_JDK, 25);

    static Options parse(List<String> line) {
        Arguments arguments = Arguments.parse(line, VALUED, FLAGS);
        List<String> words = arguments.words();
        if (words.size() > 1) {
            throw new UsageException("expected one case or list, but got \"" + String.join(" ", words) + '"');
        }
        boolean serve = arguments.flags().contains("--serve");
        Mode mode = words.equals(List.of("list")) ? Mode.LIST : serve ? Mode.SERVE : Mode.RUN;
        return new Options(
                mode,
                switch (mode) {
                    case LIST -> List.<Run>of();
                    case SERVE -> runs(words, arguments).subList(0, 1);
                    case RUN -> runs(words, arguments);
                },
                arguments.number("--carriers", 1, 256, 8),
                Settings.of(arguments));
    }

    private static List<Run> runs(List<String> words, Arguments arguments) {
        List<DemoCase> cases = words.isEmpty() ? Catalogue.CASES : List.of(Catalogue.caseNamed(words.get(0)));
        List<Integer> jdks = arguments.values().containsKey("--jdk")
                ? List.of(arguments.number("--jdk", OLDEST_JDK, 99, OLDEST_JDK))
                : JDKS;
        List<Run> runs = new ArrayList<>();
        for (DemoCase demoCase : cases) {
            for (String variant : variants(demoCase, arguments)) {
                for (int jdk : jdks) {
                    runs.add(new Run(demoCase.name(), variant, jdk));
                }
            }
        }
        return runs;
    }

    private static List<String> variants(DemoCase demoCase, Arguments arguments) {
        String variant = arguments.values().get("--variant");
        return variant == null ? demoCase.variants() : List.of(Catalogue.variantOf(demoCase, variant));
    }
}
