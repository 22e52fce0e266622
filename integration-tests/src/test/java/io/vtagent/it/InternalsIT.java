package io.vtagent.it;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.Parameter;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The table of the JDK's internals, compared with each JDK of this machine. */
@ParameterizedClass
@MethodSource("io.vtagent.it.Jdks#all")
final class InternalsIT {
    @Parameter Jdk jdk = Jdks.jdk21();

    @Test
    void thisJdkHasAllThatTheAgentUses() {
        CommandResult result = CommandResult.of(jdk, "internals");

        assertThat(result.out()).noneMatch(line -> line.startsWith("MISSING"));
        assertThat(result.succeeded().err()).isEmpty();
        assertThat(result.out())
                .contains("ok      java.lang.VirtualThread  [all sensors]")
                .anyMatch(line -> line.matches("- .* (up to|from) JDK \\d+ .*"));
        assertThat(result.out().getLast()).startsWith("JDK " + jdk.feature());
    }

    /** Where it is not, the command finds nothing missing, and checks nothing either. */
    @Test
    void theMemoryOfItsJvmIsChecked() {
        assertThat(CommandResult.of(jdk, "internals").out())
                .anyMatch(line -> line.startsWith("ok      ObjectMonitor::_owner"))
                .filteredOn(line -> line.startsWith("?"))
                .singleElement()
                .asString()
                .contains("EventWriterFactory");
    }

    @Test
    void theTableIsThereAsJson() {
        Json json = Json.parse(CommandResult.of(jdk, "internals", "--json").succeeded().text());

        assertThat(json.get("jdk").string()).startsWith(Integer.toString(jdk.feature()));
        assertThat(json.get("missing").number()).isZero();
        List<Json> internals = json.get("internals").list();
        assertThat(internals)
                .extracting(internal -> internal.get("state").string())
                .contains("ok", "-")
                .doesNotContain("MISSING");
        assertThat(internals)
                .allSatisfy(internal -> assertThat(internal.get("neededBy").string()).isNotEmpty());
    }

    @Test
    void whatIsOfAModuleThatARuntimeLacksIsNotMissing() {
        CommandResult result =
                CommandResult.of(
                        ForkedJvm.on(jdk).vm("--limit-modules=java.instrument"), "internals");

        assertThat(result.succeeded().out())
                .anyMatch(line -> line.startsWith("-       jdk.jfr.internal.StringPool"))
                .anyMatch(line -> line.startsWith("-       sun.management."))
                .anyMatch(line -> line.startsWith("-       sun.tools.attach."));
    }
}
