package io.vtagent.cli;

import io.vtagent.json.JsonText;
import io.vtagent.jvm.JdkInternal;
import io.vtagent.jvm.JdkInternal.State;
import java.io.PrintWriter;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The {@code internals} command: compares this JVM with the table of {@link JdkInternal}. */
@Command(
        name = "internals",
        description =
                "Check whether the JVM that runs this command has the JDK internals that the"
                        + " agent uses. For each, print ok, MISSING, - (of other releases, or of"
                        + " a module that this runtime lacks) or ? (not checked), and the"
                        + " features that need it.",
        exitCodeListHeading = "%nExit codes:%n",
        exitCodeList = {" 0:nothing is missing", " 1:something is missing", " 2:bad input"})
final class InternalsCommand implements Callable<Integer> {
    private static final Map<State, String> LABELS =
            Map.of(
                    State.PRESENT, "ok",
                    State.MISSING, "MISSING",
                    State.ABSENT, "-",
                    State.UNKNOWN, "?");

    @Spec CommandSpec spec = CommandSpec.create();

    @Option(names = "--json", description = "Print the table as JSON.")
    boolean json;

    @Override
    public Integer call() {
        Map<JdkInternal, State> states = new EnumMap<>(JdkInternal.class);
        for (JdkInternal internal : JdkInternal.values()) {
            states.put(internal, internal.state());
        }
        PrintWriter out = spec.commandLine().getOut();
        if (json) {
            out.println(JsonText.of(in -> write(in, states)));
        } else {
            states.forEach((internal, state) -> out.println(line(internal, state)));
            out.println(summary(states));
        }
        out.flush();
        return count(states, State.MISSING) == 0 ? ExitCode.FINE : ExitCode.GATE_FAILED;
    }

    private static String line(JdkInternal internal, State state) {
        String releases = internal.releases().isEmpty() ? "" : ", " + internal.releases();
        return "%-8s%s%s  [%s]"
                .formatted(
                        LABELS.get(state), internal.description(), releases, internal.neededBy());
    }

    private static String summary(Map<JdkInternal, State> states) {
        long unknown = count(states, State.UNKNOWN);
        return "JDK "
                + Runtime.version()
                + ": "
                + count(states, State.PRESENT)
                + " ok, "
                + count(states, State.MISSING)
                + " missing, "
                + count(states, State.ABSENT)
                + " of other releases or absent modules"
                + (unknown == 0
                        ? ""
                        : ", "
                                + unknown
                                + " not checked: Flight Recorder generates a class when it starts")
                + (unknown > 1 ? ", and HotSpot's library has no readable table" : "");
    }

    private static long count(Map<JdkInternal, State> states, State counted) {
        return states.values().stream().filter(counted::equals).count();
    }

    private static void write(JsonText json, Map<JdkInternal, State> states) {
        json.field("jdk", Runtime.version().toString());
        json.field("missing", count(states, State.MISSING));
        json.objects(
                "internals",
                List.copyOf(states.entrySet()),
                entry -> {
                    JdkInternal internal = entry.getKey();
                    json.field("name", internal.description());
                    json.field("state", LABELS.get(entry.getValue()));
                    json.field("releases", internal.releases());
                    json.field("neededBy", internal.neededBy());
                });
    }
}
