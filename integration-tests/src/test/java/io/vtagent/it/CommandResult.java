package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.ArrayList;
import java.util.List;

/** The exit code and the output of {@code java -jar vt-agent.jar COMMAND}, when it has ended. */
record CommandResult(int code, List<String> out, List<String> err) {
    private static final int BAD_INPUT = 2;

    static CommandResult of(Jdk jdk, Object... arguments) {
        return of(ForkedJvm.on(jdk), arguments);
    }

    static CommandResult of(ForkedJvm.Launch launch, Object... arguments) {
        try (ForkedJvm tool = launch.java(commandLine(arguments))) {
            return new CommandResult(tool.end(), tool.stdout(), tool.stderr());
        }
    }

    static Object[] commandLine(Object... arguments) {
        List<Object> line = new ArrayList<>(List.of("-jar", ForkedJvm.agentJar()));
        line.addAll(List.of(arguments));
        return line.toArray();
    }

    String text() {
        return String.join("\n", out);
    }

    /** It did what it was to do. */
    CommandResult succeeded() {
        assertThat(code).as("%s", this).isZero();
        return this;
    }

    /** It refused, with one sentence that has {@code words}. */
    void refused(CharSequence... words) {
        assertThat(code).as("%s", this).isEqualTo(BAD_INPUT);
        assertThat(err).singleElement(STRING).startsWith("vt-agent: ").contains(words);
        assertThat(out).isEmpty();
    }
}
