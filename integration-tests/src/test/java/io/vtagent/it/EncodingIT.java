package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.vtagent.it.workload.ForeignNames;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Most containers have no locale, so stdout and stderr are ASCII there. No character is lost. */
@Tag("long")
final class EncodingIT {
    private static final String ESCAPED = "gr\\u00f6\\u00dfe";

    @ParameterizedTest
    @MethodSource("io.vtagent.it.Jdks#all")
    void withoutALocaleAllIsAsciiAndNoCharacterIsLost(Jdk jdk) {
        for (String report : List.of("stderr", "stdout")) {
            try (ForkedJvm jvm =
                    launch(jdk)
                            .carriers(1)
                            .agent("port=0,starvation-after=500ms,report=" + report)
                            .main(ForeignNames.class)
                            .awaitDone()) {
                jvm.awaitStderr(line -> line.contains("every carrier has been held"));
                CommandResult top =
                        CommandResult.of(
                                launch(jdk),
                                "top",
                                jvm.endpoint().base(),
                                "-n",
                                1,
                                "--interval",
                                "200ms");
                CommandResult asked =
                        CommandResult.of(launch(jdk), "report", jvm.endpoint().base());
                assertThat(jvm.end()).isZero();

                List<String> printed =
                        Stream.of(jvm.stderr(), jvm.stdout(), top.out(), asked.out())
                                .flatMap(List::stream)
                                .toList();
                assertThat(printed)
                        .allMatch(
                                line -> line.chars().allMatch(character -> character < 128),
                                "is ASCII");
                assertThat(printed).noneMatch(line -> line.contains("gr?"));
                assertThat(printed).noneMatch(line -> line.matches(".*\\d \\?s\\b.*"));
                assertThat(String.join("\n", jvm.stderr())).contains(ESCAPED);
                assertThat(top.text()).contains(ESCAPED);
                assertThat(asked.text()).contains("ForeignNames$Holder.<clinit>");
            }
        }
    }

    private static ForkedJvm.Launch launch(Jdk jdk) {
        return ForkedJvm.on(jdk).env("LC_ALL", "C").env("LANG", "").env("LC_CTYPE", "");
    }
}
