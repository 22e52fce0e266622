package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.function.Function;

/** The known pins in an application without a server. */
final class PlainApplication {
    /** How often each; the default of the application. */
    static final int PINS = 40;

    private static final int EXIT = 7;

    private PlainApplication() {}

    /** Runs it without and with the agent, and compares. */
    static void endsAsWithoutTheAgent(Jdk jdk, Function<ForkedJvm.Launch, ForkedJvm> application) {
        endsAsWithoutTheAgent(jdk, ForkedJvm.on(jdk), ForkedJvm.on(jdk), application);
    }

    /** The same in images of {@code jdk} or with options of the VM. */
    static void endsAsWithoutTheAgent(
            Jdk jdk,
            ForkedJvm.Launch without,
            ForkedJvm.Launch with,
            Function<ForkedJvm.Launch, ForkedJvm> application) {
        try (ForkedJvm plain = application.apply(without.carriers(4))) {
            assertThat(plain.end()).as(plain.toString()).isEqualTo(EXIT);
            try (ForkedJvm jvm = application.apply(with.carriers(4).agent())) {
                assertThat(jvm.fact("wrapped")).isEqualTo(Boolean.toString(jdk.monitorsPin()));
                assertThat(jvm.fact("opened")).isEqualTo("false");
                Metrics before = jvm.awaitLine("warm").metrics();
                jvm.proceed();
                Metrics after = jvm.awaitDone().metrics();
                KnownPins.areCounted(after.since(before), jdk, PINS);
                assertThat(KnownPins.areNamed(after, jdk)).as(after.text()).isTrue();
                assertThat(jvm.end()).as(jvm.toString()).isEqualTo(EXIT);
                assertThat(Lines.beyond(plain, jvm))
                        .filteredOn(line -> !line.startsWith("wrapped="))
                        .isEmpty();
                assertThat(Lines.complaints(jvm)).isEmpty();
            }
        }
    }
}
