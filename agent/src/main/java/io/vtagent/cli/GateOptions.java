package io.vtagent.cli;

import java.io.PrintWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** The options of the gates: where else than on stdout their result goes. */
final class GateOptions {
    @Option(
            names = "--junit",
            paramLabel = "OUT",
            description = "Write the result as JUnit XML for build servers.")
    @Nullable Path junit;

    @Option(
            names = "--github",
            description =
                    "Print the result to stderr as annotations of GitHub Actions: errors if the"
                            + " gate fails, otherwise warnings.")
    boolean github;

    @Option(
            names = "--source-root",
            paramLabel = "DIR",
            description =
                    "A directory in which --github finds source files, e.g. src/main/java."
                            + " Repeatable.")
    List<Path> sourceRoots = new ArrayList<>();

    /**
     * @throws BadInputException if the options do not fit together
     */
    void validate() {
        if (!sourceRoots.isEmpty() && !github) {
            throw new BadInputException("--source-root has no effect without --github");
        }
        for (Path root : sourceRoots) {
            if (!Files.isDirectory(root)) {
                throw new BadInputException(
                        "--source-root is \""
                                + root
                                + "\", expected a directory such as src/main/java");
            }
        }
    }

    /** Returns whether the result shows stacks, or names of files that only stacks have. */
    boolean needStacks() {
        return junit != null || github;
    }

    void write(GateResult result, PrintWriter err) {
        if (junit != null) {
            OutputFile.write(junit, JunitXml.of(result));
        }
        if (github) {
            new GithubAnnotations(sourceRoots).of(result).forEach(err::println);
            err.flush();
        }
    }
}
