package io.vtagent.bench;

import java.io.BufferedReader;
import java.io.IOException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import java.util.stream.Stream;

/** Runs whole processes by turns. */
final class Processes {
    private static final double NANOS_PER_SECOND = 1e9;

    private Processes() {}

    /**
     * A process that has ended.
     *
     * @param seconds from the start to the end of the process
     * @param processorSeconds the CPU time that it used, if no other child process ended meanwhile;
     *     NaN on systems other than Linux
     * @param printed the figures that it printed, as {@code name=figure}
     */
    record Outcome(double seconds, double processorSeconds, Map<String, Double> printed) {
        double printed(String name) {
            return printed.getOrDefault(name, Double.NaN);
        }
    }

    /** The processes of all rounds, in the order of the arms. */
    record Rounds(List<List<Outcome>> arms) {
        /**
         * @param without the arm that {@code with} is compared with
         */
        Pairs pairs(int without, int with, ToDoubleFunction<Outcome> figure) {
            return new Pairs(figures(without, figure), figures(with, figure));
        }

        List<Double> figures(int arm, ToDoubleFunction<Outcome> figure) {
            return arms.get(arm).stream().map(figure::applyAsDouble).toList();
        }
    }

    /** A program of the benchmarks that is run, with its arguments. */
    record Program(Class<?> main, List<String> arguments) {
        Program(Class<?> main, String... arguments) {
            this(main, List.of(arguments));
        }
    }

    static Rounds alternate(Jvm jvm, List<Arm> arms, int rounds, Program program) {
        List<List<Outcome>> outcomes = new ArrayList<>();
        arms.forEach(arm -> outcomes.add(new ArrayList<>()));
        for (int round = 0; round < rounds; round++) {
            for (int arm = 0; arm < arms.size(); arm++) {
                outcomes.get(arm).add(outcome(start(jvm, arms.get(arm), program)));
            }
        }
        return new Rounds(outcomes);
    }

    /**
     * Runs each of the arms {@code rounds} times for each program on each JVM, all of them at once.
     * It is for programs that take long and hardly use a CPU.
     */
    static Map<Jvm, List<Rounds>> together(
            List<Jvm> jvms, List<Arm> arms, int rounds, List<Program> programs) {
        Map<Jvm, List<List<List<Started>>>> started = new LinkedHashMap<>();
        for (Jvm jvm : jvms) {
            started.put(
                    jvm,
                    programs.stream()
                            .map(
                                    program ->
                                            arms.stream()
                                                    .map(arm -> start(jvm, arm, program, rounds))
                                                    .toList())
                            .toList());
        }
        Map<Jvm, List<Rounds>> ended = new HashMap<>();
        started.forEach(
                (jvm, byProgram) ->
                        ended.put(
                                jvm,
                                byProgram.stream()
                                        .map(
                                                byArm ->
                                                        new Rounds(
                                                                byArm.stream()
                                                                        .map(Processes::outcomes)
                                                                        .toList()))
                                        .toList()));
        return ended;
    }

    private static List<Started> start(Jvm jvm, Arm arm, Program program, int times) {
        return Stream.generate(() -> start(jvm, arm, program)).limit(times).toList();
    }

    private static List<Outcome> outcomes(List<Started> started) {
        return started.stream().map(Processes::outcome).toList();
    }

    private record Started(
            List<String> command, Process process, long atNanos, double ofOthersSeconds) {}

    private static Started start(Jvm jvm, Arm arm, Program program) {
        List<String> command = new ArrayList<>(jvm.command(arm));
        command.addAll(
                List.of("-cp", System.getProperty("java.class.path"), program.main().getName()));
        command.addAll(program.arguments());
        try {
            double ofOthersSeconds = Machine.processorSecondsOfChildren();
            long atNanos = System.nanoTime();
            return new Started(
                    command,
                    new ProcessBuilder(command).redirectErrorStream(true).start(),
                    atNanos,
                    ofOthersSeconds);
        } catch (IOException failure) {
            throw new IllegalStateException("cannot run " + command, failure);
        }
    }

    private static Outcome outcome(Started started) {
        Map<String, Double> printed = new HashMap<>();
        StringBuilder output = new StringBuilder();
        try (BufferedReader lines = started.process().inputReader()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                output.append(line).append('\n');
                if (line.matches("\\w+=[0-9.E-]+")) {
                    int split = line.indexOf('=');
                    printed.put(
                            line.substring(0, split), Double.valueOf(line.substring(split + 1)));
                }
            }
            int code = started.process().waitFor();
            double seconds = (System.nanoTime() - started.atNanos()) / NANOS_PER_SECOND;
            if (code != 0) {
                throw new IllegalStateException(
                        started.command() + " ended with " + code + ":\n" + output);
            }
            return new Outcome(
                    seconds,
                    Machine.processorSecondsOfChildren() - started.ofOthersSeconds(),
                    printed);
        } catch (IOException | InterruptedException failure) {
            throw new IllegalStateException("lost " + started.command(), failure);
        }
    }
}
