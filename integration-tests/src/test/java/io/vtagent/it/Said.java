package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.InstanceOfAssertFactories.STRING;

import java.util.ArrayList;
import java.util.List;

/** What {@code java -jar vt-agent.jar COMMAND} said, when it has ended. */
record Said(int code, List<String> out, List<String> err) {
    private static final int BAD_INPUT = 2;

    static Said by(Jdk jdk, Object... arguments) {
        return by(ForkedJvm.on(jdk), arguments);
    }

    static Said by(ForkedJvm.Launch launch, Object... arguments) {
        try (ForkedJvm tool = launch.java(commandLine(arguments))) {
            return new Said(tool.end(), tool.stdout(), tool.stderr());
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
    Said fine() {
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
