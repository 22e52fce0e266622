package io.vtagent.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;

/** Runs whole processes alternately without the agent and with it. */
final class Processes {
    private static final double NANOS_PER_SECOND = 1e9;

    private final String agent;

    /** @param agent the argument that loads it */
    Processes(String agent) {
        this.agent = agent;
    }

    /**
     * A process that has ended.
     *
     * @param seconds from the start to the end of the process
     * @param printed the figures that it printed, as {@code name=figure}
     */
    record Outcome(double seconds, Map<String, Double> printed) {
        double printed(String name) {
            return printed.getOrDefault(name, Double.NaN);
        }
    }

    /** The processes of all rounds. */
    record Rounds(List<Outcome> without, List<Outcome> with) {
        Pairs pairs(ToDoubleFunction<Outcome> figure) {
            return new Pairs(figures(without, figure), figures(with, figure));
        }

        private static List<Double> figures(List<Outcome> outcomes, ToDoubleFunction<Outcome> figure) {
            return outcomes.stream().map(figure::applyAsDouble).toList();
        }
    }

    Rounds compare(Jvm jvm, Class<?> main, int rounds) {
        Rounds outcomes = new Rounds(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < rounds; round++) {
            outcomes.without.add(run(jvm, List.of(), main));
            outcomes.with.add(run(jvm, List.of(agent), main));
        }
        return outcomes;
    }

    /** Runs {@code main} alternately with the agent given the options {@code without} and given the options {@code with}. */
    Rounds compareOption(Jvm jvm, String without, String with, int rounds, Class<?> main, String argument) {
        Rounds outcomes = new Rounds(new ArrayList<>(), new ArrayList<>());
        for (int round = 0; round < rounds; round++) {
            outcomes.without.add(run(jvm, List.of(agent + "," + without), main, argument));
            outcomes.with.add(run(jvm, List.of(agent + "," + with), main, argument));
        }
        return outcomes;
    }

    Outcome runWithAgent(Jvm jvm, Class<?> main) {
        return run(jvm, List.of(agent), main);
    }

    private static Outcome run(Jvm jvm, List<String> arguments, Class<?> main, String... mainArguments) {
        List<String> command = new ArrayList<>();
        command.add(jvm.java());
        command.addAll(jvm.arguments());
        command.addAll(arguments);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(mainArguments));
        Map<String, Double> printed = new HashMap<>();
        StringBuilder output = new StringBuilder();
        try {
            long beganNanos = System.nanoTime();
            Process process =
                    new ProcessBuilder(command).redirectErrorStream(true).start();
            try (BufferedReader lines = process.inputReader()) {
                for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                    output.append(line).append('\n');
                    if (line.matches("\\w+=[0-9.]+")) {
                        int split = line.indexOf('=');
                        printed.put(line.substring(0, split), Double.valueOf(line.substring(split + 1)));
                    }
                }
            }
            int code = process.waitFor();
            double seconds = (System.nanoTime() - beganNanos) / NANOS_PER_SECOND;
            if (code != 0) {
                throw new IllegalStateException(command + " ended with " + code + ":\n" + output);
            }
            return new Outcome(seconds, printed);
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException("cannot run " + command, failure);
        }
    }
}
