package io.vtagent.options;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import java.util.Locale;
import java.util.Map;
import java.util.Properties;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

/** Ranges of numbers and durations: both ends are accepted, and values just beyond them are not. */
class OptionRangesTest {
    @ParameterizedTest
    @CsvSource({
        "port, -1, 0, 65535, 65536",
        "stack-threshold, -1ns, 0, 3600s, 3600001ms",
        "stack-depth, 0, 1, 1024, 1025",
        "max-sites, 0, 1, 10000, 10001",
        "sample-interval, 999999ns, 1ms, 1h, 61m",
        "starvation-after, 99999us, 100ms, 1h, 61m",
        "relief, 0, 1, 32767, 32768",
        "busy, 999999ns, 1ms, 1h, 61m",
        "delay-probe, 999999ns, 1ms, 1h, 61m",
    })
    void theEndsBelongToIt(String key, String below, String least, String most, String above) {
        for (String good : new String[] {least, most}) {
            assertThatCode(() -> parse(key + "=" + good)).as(good).doesNotThrowAnyException();
        }
        for (String bad : new String[] {below, above}) {
            assertThatExceptionOfType(BadOptionException.class)
                    .isThrownBy(() -> parse(key + "=" + bad))
                    .withMessageContaining('"' + bad + '"');
        }
    }

    @ParameterizedTest
    @EnumSource
    void theJvmsEventsAreStartedAccordingToTheOption(AgentOptions.VmEventsMode mode)
            throws BadOptionException {
        assertThat(parse("vm-events=" + mode.name().toLowerCase(Locale.ROOT)).vmEvents())
                .isEqualTo(mode);
    }

    private static AgentOptions parse(String arguments) throws BadOptionException {
        return AgentOptions.parse(arguments, new Properties(), Map.of());
    }
}
