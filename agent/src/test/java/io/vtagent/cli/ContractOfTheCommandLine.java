package io.vtagent.cli;

import java.util.Map;
import java.util.stream.Stream;
import picocli.CommandLine;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Model.OptionSpec;
import picocli.CommandLine.Model.PositionalParamSpec;

/** The commands, their options, and their exit codes. */
public final class ContractOfTheCommandLine {
    private ContractOfTheCommandLine() {}

    public static Stream<String> lines() {
        CommandSpec all = CommandSpec.forAnnotatedObject(CommandLineTool.class);
        Stream<String> exitCodes =
                Stream.of(ExitCode.FINE, ExitCode.GATE_FAILED, ExitCode.BAD_INPUT)
                        .map(
                                code ->
                                        "exit code %d: %s"
                                                .formatted(
                                                        code,
                                                        all.usageMessage()
                                                                .exitCodeList()
                                                                .get(" " + code)));
        Stream<String> commands =
                all.subcommands().entrySet().stream().flatMap(ContractOfTheCommandLine::lines);
        return Stream.of(options("", all), commands, exitCodes).flatMap(lines -> lines);
    }

    private static Stream<String> lines(Map.Entry<String, CommandLine> command) {
        CommandSpec spec = command.getValue().getCommandSpec();
        String name = command.getKey();
        Stream<String> parameters =
                spec.positionalParameters().stream()
                        .map(parameter -> "command %s takes %s".formatted(name, name(parameter)));
        return Stream.of(Stream.of("command " + name), parameters, options(" " + name, spec))
                .flatMap(lines -> lines);
    }

    private static String name(PositionalParamSpec parameter) {
        return "%s, %s of them".formatted(parameter.paramLabel(), parameter.arity());
    }

    private static Stream<String> options(String command, CommandSpec spec) {
        return spec.options().stream()
                .filter(option -> !option.hidden())
                .flatMap(
                        option ->
                                Stream.of(option.names())
                                        .map(
                                                name ->
                                                        "command%s has %s%s"
                                                                .formatted(
                                                                        command,
                                                                        name,
                                                                        value(option))));
    }

    private static String value(OptionSpec option) {
        return option.arity().max() == 0 ? "" : "=" + option.paramLabel();
    }
}
